import { testAdapter } from './adapter.suite.ts';
import { createWriteOnlyAdapter } from './write-only.suite.ts';

testAdapter('an adapter that can only be written to', async () => {
  const taken: string[] = [];
  return {
    adapter: createWriteOnlyAdapter(taken),
    workspace: '/',
    taken: () => taken,
    close: async () => {},
  };
});
