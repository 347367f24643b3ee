import { createLocalBus } from '../core/local-bus.ts';
import { describeBus } from './bus.suite.ts';

describeBus('the bus of one process', async () => {
  const bus = createLocalBus();
  return { join: async () => bus };
});
