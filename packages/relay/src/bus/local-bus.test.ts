import { describeBus } from '../../test/bus/bus.contract.ts';
import { createLocalBus } from '../../test/core/local-bus.ts';

describeBus('the bus of one process', async () => {
  const bus = createLocalBus();
  return { join: async () => bus };
});
