import type { SeededRandom } from '@drawbridge/testbed';
import { createLocalBus } from '../../src/core/local-bus.ts';
import type { Bus } from '../../src/core/ports.ts';

/** Loses and repeats messages, as its interface allows. */
export function createNastyBus(random: SeededRandom): Bus {
  const bus = createLocalBus();
  return {
    publish: (message) => {
      for (let count = random.int(0, 2); count > 0; count -= 1) bus.publish(message);
    },
    onMessage: bus.onMessage,
  };
}
