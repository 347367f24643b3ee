import type { SeededRandom } from '@drawbridge/testbed';
import type { Bus, Note } from '../core/ports.ts';
import type { Ground } from './ground.suite.ts';

/** Bus of a simulated cluster: loses, repeats and delays messages. A node receives its own at once. */
export interface ClusterBus {
  readonly join: (isAlive: () => boolean) => Bus;
  readonly setUp: (isUp: boolean) => void;
  readonly isUp: () => boolean;
  /** Messages published, and received by another node. */
  readonly counts: { said: number; came: number };
}

export interface BusWeather {
  readonly latency_ms: number;
  readonly lost: number;
  readonly repeated: number;
}

export function createClusterBus(ground: Ground, random: SeededRandom, weather: BusWeather): ClusterBus {
  const members = new Set<{ readonly hear: (note: Note) => void; readonly isAlive: () => boolean }>();
  const counts = { said: 0, came: 0 };
  let up = true;

  const carry = (note: Note, to: (note: Note) => void, isAlive: () => boolean): void => {
    ground.after(
      random.int(0, weather.latency_ms),
      () => {
        ground.stir();
        counts.came += 1;
        to(note);
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
      const listeners = new Set<(note: Note) => void>();
      const hear = (note: Note): void => {
        for (const listener of listeners) listener(note);
      };
      const own = { hear, isAlive };
      return {
        publish: (note) => {
          if (!isAlive()) return;
          hear(note);
          counts.said += 1;
          for (const member of up ? members : []) {
            if (!member.isAlive()) members.delete(member);
            if (member === own || !member.isAlive() || random.chance(weather.lost)) continue;
            carry(note, member.hear, member.isAlive);
            if (random.chance(weather.repeated)) carry(note, member.hear, member.isAlive);
          }
        },
        onNote: (listener) => {
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
