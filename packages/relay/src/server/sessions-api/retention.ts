import type { EventRecord, ForgetMessage, Ledger, PromptRecord, SessionRecord } from '@drawbridge/ledger';
import type { CoreClock } from '../../core/ports.ts';
import type { FileRemoval } from '../files/file-removal.ts';
import { readSettings } from './settings.ts';

export interface RetentionPorts {
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly onError: (error: unknown) => void;
  readonly removal: FileRemoval;
}

export interface Retention {
  /** Waits for the running step. Idempotent. */
  readonly close: () => Promise<void>;
}

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1_000;
/** Bounds of one step, because a concurrent commit waits for it. */
const STEP_EVENTS = 25;
const STEP_CHARS = 65_536;
/** Time between two steps, for commits of others. */
const REST_MS = 20;

/** Deletes data older than the owner's retention: now, and every six hours. */
export function startRetention({ ledger, clock, onError, removal }: RetentionPorts): Retention {
  let closed = false;
  let cancel = () => {};

  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      if (closed) {
        resolve();
        return;
      }
      const stop = clock.after(REST_MS, resolve);
      cancel = () => {
        stop();
        resolve();
      };
    });

  /** Returns how many events of the session were deleted. */
  const prune = async (session: SessionRecord, before: number, unsettled: readonly PromptRecord[]) => {
    const { session_id, oldest, proxy_device_id } = session;
    const queued = (await ledger.queuedMessages(proxy_device_id)).filter(
      (message) => message.session_id === session_id,
    );
    const firstQueued = Math.min(...queued.map(({ sequence }) => sequence));
    const asked = unsettled.filter((prompt) => prompt.session_id === session_id);
    const until = Math.min(before, ...asked.map(({ opened_at }) => opened_at));
    let removed = 0;
    while (!closed) {
      const page = await ledger.eventsAfter(session_id, oldest - 1 + removed, STEP_EVENTS, STEP_CHARS);
      const events = page?.events ?? [];
      const kept = events.findIndex(({ at, sequence }) => at >= until || sequence >= firstQueued);
      const old = kept === -1 ? events : events.slice(0, kept);
      const through = old.at(-1)?.sequence;
      if (through === undefined) break;
      await ledger.commit([
        ...old.flatMap(forgotten),
        { do: 'prune_events', session_id, through, limit: old.length },
      ]);
      removed += old.length;
      await rest();
    }
    if (!closed) await ledger.commit([{ do: 'forget_prompts', session_id, settled_before: until }]);
    // A waiting send may have files much older than itself.
    if (queued.length === 0) await removal.ofSession(session_id, until);
    return removed;
  };

  const sweep = async (): Promise<void> => {
    const { retention_days } = await readSettings(ledger);
    if (retention_days === null) return;
    const before = clock.now() - retention_days * DAY_MS;
    const unsettled = [...(await ledger.openPrompts()), ...(await ledger.answeringPrompts())];
    let events = 0;
    let sessions = 0;
    for (const { session_id } of await ledger.heads()) {
      const session = await ledger.session(session_id);
      if (session === undefined) continue;
      events += await prune(session, before, unsettled);
      if (closed) break;
      const left = await ledger.session(session_id);
      const isOver = left !== undefined && left.closed_at !== null && left.closed_at < before;
      if (!isOver || left.oldest <= left.head) continue;
      await removal.ofSession(session_id);
      if (await ledger.deleteSession(session_id)) sessions += 1;
    }
    if (events + sessions === 0) return;
    const what = {
      action: 'retention_swept' as const,
      subject: 'ledger',
      detail: { retention_days, events, sessions },
    };
    await ledger.commit([{ do: 'audit', entry: { at: clock.now(), device_id: null, ...what } }]);
  };

  const turn = async (): Promise<void> => {
    try {
      await sweep();
      await removal.sweep();
      while (!closed && (await ledger.returnSpace())) await rest();
    } catch (error) {
      onError(error);
    }
    if (closed) return;
    cancel = clock.after(SWEEP_EVERY_MS, () => {
      running = turn();
    });
  };
  let running = turn();

  return {
    close() {
      closed = true;
      cancel();
      return running;
    },
  };
}

/** A send's text is also in its own record, which stays so that a retry is recognized. */
function forgotten({ session_id, type, payload }: EventRecord): readonly ForgetMessage[] {
  const { client_message_id } = payload;
  if (type !== 'message_accepted' || typeof client_message_id !== 'string') return [];
  return [{ do: 'forget_message', session_id, client_message_id }];
}
