import { testAdapter } from '../test/adapter.contract.ts';
import { createWriteOnlyAdapter } from '../test/write-only-adapter.ts';

testAdapter('an adapter that can only be written to', async () => {
  const taken: string[] = [];
  return {
    adapter: createWriteOnlyAdapter(taken),
    workspace: '/',
    taken: () => taken,
    close: async () => {},
  };
});
