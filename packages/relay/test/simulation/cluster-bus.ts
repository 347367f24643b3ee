import type { SeededRandom } from '@drawbridge/testbed';
import type { Bus, BusListener, BusMessage } from '../../src/core/ports.ts';
import type { SimulationContext } from './simulation-context.ts';

/** Bus of a simulated cluster: loses, repeats and delays messages. A node receives its own at once. */
export interface ClusterBus {
  readonly join: (isAlive: () => boolean) => Bus;
  readonly setUp: (isUp: boolean) => void;
  readonly isUp: () => boolean;
  /** Messages published, and received by another node. */
  readonly counts: { published: number; came: number };
}

export interface BusWeather {
  readonly latency_ms: number;
  readonly lost: number;
  readonly repeated: number;
}

export function createClusterBus(
  context: SimulationContext,
  random: SeededRandom,
  weather: BusWeather,
): ClusterBus {
  const members = new Set<{
    readonly receive: BusListener;
    readonly isAlive: () => boolean;
  }>();
  const counts = { published: 0, came: 0 };
  let up = true;

  const carry = (to: () => void, isAlive: () => boolean): void => {
    context.after(
      random.int(0, weather.latency_ms),
      () => {
        context.stir();
        counts.came += 1;
        to();
      },
      isAlive,
    );
  };

  return {
    counts,
    isUp: () => up,
    setUp: (now) => {
      up = now;
    },
    join: (isAlive) => {
      const listeners = new Set<BusListener>();
      const receive: BusListener = (message, acknowledge) => {
        for (const listener of listeners) listener(message, acknowledge);
      };
      const own = { receive, isAlive };
      const carryToOthers = (message: BusMessage, acknowledge: (node_id: string) => void): void => {
        counts.published += 1;
        for (const member of up ? members : []) {
          if (!member.isAlive()) members.delete(member);
          if (member === own || !member.isAlive() || random.chance(weather.lost)) continue;
          const arrive = () => member.receive(message, acknowledge);
          carry(arrive, member.isAlive);
          if (random.chance(weather.repeated)) carry(arrive, member.isAlive);
        }
      };
      return {
        publish: (message) => {
          if (!isAlive()) return;
          receive(message, () => {});
          carryToOthers(message, () => {});
        },
        request: (message, timeout_ms) =>
          new Promise((resolve) => {
            context.after(timeout_ms, () => resolve(undefined), isAlive);
            if (!isAlive()) return;
            carryToOthers(message, (node_id) => {
              if (up && !random.chance(weather.lost)) carry(() => resolve(node_id), isAlive);
            });
          }),
        onMessage: (listener) => {
          members.add(own);
          listeners.add(listener);
          return () => {
            listeners.delete(listener);
          };
        },
      };
    },
  };
}
