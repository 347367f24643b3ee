import type { Ledger } from '@drawbridge/ledger';
import type { Asker, Question } from '@drawbridge/protocol';
import { trustSession } from '../core/frames.ts';
import type { Identity } from '../core/ports.ts';
import {
  askingDevice,
  createPromptAsker,
  type PromptAsker,
  type PromptAskerOptions,
  type RecordedMessage,
} from './prompt-asker.ts';

/** A browser's device at the relay. */
export type Browser = Pick<Identity, 'device_id' | 'label'>;

/** Each browser asks as itself, in its own session (BRG-167). */
export interface BrowserAskers extends Asker {
  /** Asks through `first`, which falls back to this asker when it cannot ask. */
  readonly by: (browser: Browser, first: Asker) => Asker;
  /** Writes into the session of a browser that has asked. */
  readonly record: (browser: Browser, message: RecordedMessage) => void;
  /** Sessions of browsers that have asked, which contain no agent. */
  readonly sessions: ReadonlySet<string>;
  /** BRG-171: withdraws questions that an earlier relay left open. */
  readonly withdrawLeftover: (ledger: Pick<Ledger, 'openPrompts' | 'session'>) => Promise<void>;
  /** Denies the open questions of a revoked device. */
  readonly dismiss: (device_id: string) => void;
  readonly close: () => void;
}

export function createBrowserAskers(options: Pick<PromptAskerOptions, 'core' | 'clock'>): BrowserAskers {
  const askers = new Map<string, PromptAsker>();
  const sessions = new Set<string>();
  const askedBy = new WeakMap<Question, Browser>();

  const askerOf = (browser: Browser): PromptAsker => {
    const known = askers.get(browser.device_id);
    if (known !== undefined) return known;
    const asker = createPromptAsker({ ...options, ...browser });
    askers.set(browser.device_id, asker);
    sessions.add(asker.session_id);
    return asker;
  };

  const dismiss = (device_id: string): void => {
    askers.get(device_id)?.close();
    askers.delete(device_id);
  };

  return {
    sessions,
    dismiss,
    by: (browser, first) => ({
      ask(question, withdrawn) {
        askedBy.set(question, browser);
        return first.ask(question, withdrawn);
      },
    }),
    record: ({ device_id }, message) => askers.get(device_id)?.record(message),
    ask(question, withdrawn) {
      const browser = askedBy.get(question);
      if (browser === undefined) throw new Error('A question that no browser asked.');
      return askerOf(browser).ask(question, withdrawn);
    },
    async withdrawLeftover(ledger) {
      for (const { session_id, prompt_id } of await ledger.openPrompts()) {
        const device_id = askingDevice(session_id);
        if (device_id === undefined) continue;
        const { display_name: label = device_id } = trustSession(
          (await ledger.session(session_id))?.metadata,
        );
        askerOf({ device_id, label }).withdraw(prompt_id);
      }
    },
    close() {
      for (const device_id of [...askers.keys()]) dismiss(device_id);
    },
  };
}
