import type { Bridge } from '@drawbridge/bridge';
import type { Ledger } from '@drawbridge/ledger';
import type { HaltReport } from '@drawbridge/protocol/http';
import type { Identity } from '../../core/ports.ts';
import { type InterruptionOptions, interruptAgents } from './interruption.ts';

export interface HaltOptions extends InterruptionOptions {
  readonly bridge: Pick<Bridge, 'cancelAll' | 'revokeGrants'>;
  readonly ledger: Ledger;
  readonly onError: (error: unknown) => void;
}

type Failure = HaltReport['failed'][number];

/** "Stop everything". */
export interface Halt {
  readonly run: (by: Identity) => Promise<HaltReport>;
  /** For runtimes in this process: their running grants end now. Returns a function that unsubscribes. */
  readonly onHalt: (listener: () => void) => () => void;
}

const PERMISSIONS: Failure = {
  name: 'Permissions',
  reason: 'They could not be taken back. Stop the relay itself: its log says why.',
};

export function createHalt(options: HaltOptions): Halt {
  const { bridge, ledger, clock, onError } = options;
  const listeners = new Set<() => void>();

  /** Revoked before the calls end: an agent that calls again at once needs a new permission. */
  const takeBackGrants = (): readonly Failure[] => {
    let failed = false;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        onError(error);
        failed = true;
      }
    }
    bridge.revokeGrants();
    return failed ? [PERMISSIONS] : [];
  };

  return {
    async run({ device_id, label }) {
      const at = clock.now();
      const ungranted = takeBackGrants();
      const calls_cancelled = bridge.cancelAll(`${label} stopped everything.`);
      const { interrupted, idle, failed } = await interruptAgents(options, label);
      const report = { interrupted, idle, failed: [...ungranted, ...failed], calls_cancelled };
      const detail = {
        interrupted: interrupted.map(({ session_id }) => session_id),
        failed: report.failed.map(({ session_id, name }) => session_id ?? name),
        calls_cancelled,
      };
      const entry = { at, device_id, action: 'halted' as const, subject: 'relay', detail };
      // A full disk must not hide what was stopped.
      await ledger.commit([{ do: 'audit', entry }]).catch(onError);
      return report;
    },
    onHalt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
