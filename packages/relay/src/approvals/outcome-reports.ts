import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import { BridgeError, type Question } from '@drawbridge/protocol';
import { maskShapes } from '@drawbridge/protocol/secrets';
import type { CoreClock } from '../core/ports.ts';
import type { Browser } from './browser-askers.ts';
import type { Outcome } from './callers.ts';
import { mayLook } from './may-look.ts';
import { hasLeft, seenIn } from './outcome-words.ts';
import type { RecordedMessage } from './prompt-asker.ts';

export interface OutcomeReportsOptions {
  readonly clock: CoreClock;
  /** Read when a call has ended: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'call' | 'runtimes'>;
  /** Writes into the session in which the call's question was asked. */
  readonly recorderOf: (browser: Browser, call_id: string) => (message: RecordedMessage) => void;
  readonly onError: (error: unknown) => void;
}

const LOOK = { form: 'view', scope: 'viewport', context: true };
/** A page that the call led to announces itself later: a shop takes seconds after a payment. */
const TRIES = 60;
const RETRY_MS = 250;

/** Writes into the session of a question how an allowed call ended, and what the page showed. */
export function createOutcomeReports({ clock, bridge, recorderOf, onError }: OutcomeReportsOptions) {
  const passed = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  const nextPage = async (tabNow: () => RuntimeView | undefined): Promise<unknown> => {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const tab = tabNow();
      if (tab !== undefined && !mayLook(tab)) return undefined;
      try {
        if (tab !== undefined) {
          const { runtime_id } = tab;
          return await bridge().call({ name: 'page.snapshot', arguments: LOOK, runtime_id }).output;
        }
      } catch (error) {
        // A person said no, and is not asked again.
        if (error instanceof BridgeError && error.code === 'permission_denied') return undefined;
        // Otherwise between two pages.
      }
      await passed(RETRY_MS);
    }
    return undefined;
  };

  return (browser: Browser) =>
    ({ call_id, runtime_id, name }: Question) => {
      const record = recorderOf(browser, call_id);
      const tab = bridge()
        .runtimes()
        .find((each) => each.runtime_id === runtime_id);
      const key = tab?.ready.runtime_key;
      const current = () =>
        bridge()
          .runtimes()
          .find((each) => each.runtime_id === runtime_id || (key && each.ready.runtime_key === key));
      const report = async ({ words, output }: Outcome): Promise<void> => {
        const created_at = new Date(clock.now()).toISOString();
        const seen = seenIn(name, output, hasLeft(output) ? await nextPage(current) : undefined);
        const content = [words, maskShapes(seen)].filter(Boolean).join(' ');
        record({ message_id: `outcome_${call_id}`, content, created_at });
      };
      return (outcome: Outcome): void => void report(outcome).catch(onError);
    };
}
