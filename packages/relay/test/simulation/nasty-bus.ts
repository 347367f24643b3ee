import type { SeededRandom } from '@drawbridge/testbed';
import type { Bus } from '../../src/core/ports.ts';
import { createLocalBus } from '../core/local-bus.ts';

/** Loses and repeats messages, as its interface allows. */
export function createNastyBus(random: SeededRandom): Bus {
  const bus = createLocalBus();
  return {
    publish: (message) => {
      for (let count = random.int(0, 2); count > 0; count -= 1) bus.publish(message);
    },
    request: async (message, timeout_ms) => {
      const answers: (string | undefined)[] = [];
      for (let count = random.int(0, 2); count > 0; count -= 1)
        answers.push(await bus.request(message, timeout_ms));
      return random.chance(0.5) ? answers[0] : undefined;
    },
    onMessage: bus.onMessage,
  };
}
