import type { Clock } from '@drawbridge/base';
import type { BridgeItem } from '@drawbridge/protocol';
import type { BridgeLimits } from './options.ts';
import { quietMs, type RuntimeEntry, understands } from './registry.ts';

export type Liveness = 'awake' | 'asleep' | 'gone';

export interface Probes {
  /** Checks whether a quiet runtime is still alive (BRG-38), at once or after the probe. */
  readonly ask: (entry: RuntimeEntry, then: (state: Liveness) => void) => void;
  /** The runtime sent something. */
  readonly received: (entry: RuntimeEntry) => void;
  /** The host answered the probe for a sleeping runtime. */
  readonly asleep: (entry: RuntimeEntry, probe_id: string) => void;
  /** The runtime left; waiting calls are not notified. */
  readonly forget: (entry: RuntimeEntry) => void;
}

interface Probe {
  readonly id: string;
  /** In call order, which is kept (BRG-47). */
  readonly waiting: Array<(state: Liveness) => void>;
  readonly stop: () => void;
}

interface ProbeNeeds {
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly newId: () => string;
  readonly send: (entry: RuntimeEntry, item: BridgeItem) => boolean;
}

export function createProbes({ clock, limits, newId, send }: ProbeNeeds): Probes {
  const running = new Map<RuntimeEntry, Probe>();

  const forget = (entry: RuntimeEntry): void => {
    running.get(entry)?.stop();
    running.delete(entry);
  };

  const settle = (entry: RuntimeEntry, state: Liveness): void => {
    const { waiting = [] } = running.get(entry) ?? {};
    forget(entry);
    for (const then of waiting) then(state);
  };

  const start = (entry: RuntimeEntry, then: (state: Liveness) => void): void => {
    const id = newId();
    const stop = clock.after(limits.probeTimeoutMs, () => settle(entry, 'gone'));
    running.set(entry, { id, waiting: [then], stop });
    send(entry, { type: 'runtime_probe', runtime_id: entry.runtime_id, probe_id: id });
  };

  return {
    forget,
    ask(entry, then) {
      const probe = running.get(entry);
      const quiet = quietMs(entry, clock.now());
      if (probe !== undefined) probe.waiting.push(then);
      else if (quiet <= limits.freshMs) then('awake');
      else if (understands(entry, 'runtime_probe')) start(entry, then);
      else then(quiet > limits.staleMs ? 'gone' : 'awake');
    },
    received(entry) {
      entry.lastSeenAt = clock.now();
      if (running.has(entry)) settle(entry, 'awake');
    },
    asleep(entry, probe_id) {
      if (running.get(entry)?.id === probe_id) settle(entry, 'asleep');
    },
  };
}
