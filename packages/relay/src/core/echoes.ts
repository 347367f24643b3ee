import type { JsonObject, MessageRecord } from '../ledger/records.ts';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, parseStored } from './frames.ts';

/** A send as forwarded: people may have edited it before. */
export type Left = Pick<MessageRecord, 'client_message_id' | 'payload'>;

interface Awaited {
  readonly client_message_id: string;
  readonly content: string;
  cancel: () => void;
}

/** CHT-165: sends that a proxy may observe in the agent and report as new messages. */
interface Echoes {
  readonly left: (session_id: string, sent: Left) => void;
  /** A send that never reached the agent has no echo; the same text there is a person's own. */
  readonly settled: (session_id: string, client_message_id: string, mayBeThere: boolean) => void;
  /** Loads the sends from before the relay's start, once per session. */
  readonly load: (session_id: string) => Promise<void>;
  /** True for the first echo of a send with exactly this text. */
  readonly observe: (session_id: string, content: string) => boolean;
}

/** An echo comes soon after its send, or never. */
const AWAITED = 100;
const AWAITED_MS = 10 * 60_000;
/** The wall clock is trusted for days, not for minutes (CHT-114). */
const LONGEST_JUMP_MS = 5 * 86_400_000;

/** Avoids a timer for sends without an outcome yet. */
const NOTHING = (): void => {};

export function createEchoes({ ledger, now, after }: CoreContext): Echoes {
  const awaited = new Map<string, Awaited[]>();
  const loaded = new Set<string>();

  const keep = (session_id: string, sent: readonly Awaited[]): void => {
    for (const { cancel } of sent.slice(0, -AWAITED)) cancel();
    awaited.set(session_id, sent.slice(-AWAITED));
  };

  const drop = (session_id: string, isIt: (sent: Awaited) => boolean): boolean => {
    const there = awaited.get(session_id) ?? [];
    const index = there.findIndex(isIt);
    for (const { cancel } of index < 0 ? [] : there.splice(index, 1)) cancel();
    return index >= 0;
  };

  const awaitFor = (session_id: string, sent: Awaited, ms: number): void => {
    sent.cancel();
    sent.cancel = after(ms, () => drop(session_id, (each) => each === sent));
  };

  /** A restart restarts the full time. Undefined without an outcome; 0 when the send is not in the agent. */
  const remaining = ({ state, attempt, error, settled_at }: MessageRecord): number | undefined => {
    if (state === 'accepted') return attempt > 0 ? undefined : 0;
    const mayBeThere = state === 'delivered' || error?.['indeterminate'] === true;
    return !mayBeThere || now() - (settled_at ?? 0) > LONGEST_JUMP_MS ? 0 : AWAITED_MS;
  };

  const restore = async (session_id: string, client_message_id: string): Promise<readonly Awaited[]> => {
    const send = await ledger.message(session_id, client_message_id);
    const rest = send && remaining(send);
    if (send === undefined || rest === 0) return [];
    const sent = { client_message_id, content: contentOf(send.payload), cancel: NOTHING };
    if (rest !== undefined) awaitFor(session_id, sent, rest);
    return [sent];
  };

  return {
    left: (session_id, { client_message_id, payload }) => {
      // The same send may have been loaded from the ledger a moment ago.
      drop(session_id, (sent) => sent.client_message_id === client_message_id);
      const there = awaited.get(session_id) ?? [];
      const length = there.push({ client_message_id, content: contentOf(payload), cancel: NOTHING });
      if (length > 2 * AWAITED) keep(session_id, there);
      else awaited.set(session_id, there);
    },
    settled: (session_id, client_message_id, mayBeThere) => {
      const sent = awaited.get(session_id)?.find((each) => each.client_message_id === client_message_id);
      if (sent === undefined) return;
      if (mayBeThere) awaitFor(session_id, sent, AWAITED_MS);
      else drop(session_id, (each) => each === sent);
    },
    load: async (session_id) => {
      if (loaded.has(session_id)) return;
      const page = await ledger.transcriptBefore(session_id, Number.MAX_SAFE_INTEGER, AWAITED);
      const sends = (page?.events ?? []).flatMap(({ payload }) => {
        const { client_message_id } = parseStored<FrameOf<'message_event'>['message']>(payload['message']);
        return client_message_id ?? [];
      });
      // An edited send appears more than once.
      const found = (await Promise.all([...new Set(sends)].map((id) => restore(session_id, id)))).flat();
      if (loaded.has(session_id)) return;
      loaded.add(session_id);
      const since = awaited.get(session_id) ?? [];
      const known = new Set(since.map(({ client_message_id }) => client_message_id));
      keep(session_id, [...found.filter(({ client_message_id }) => !known.has(client_message_id)), ...since]);
    },
    observe: (session_id, content) => drop(session_id, (sent) => sent.content === content),
  };
}

const contentOf = (payload: JsonObject): string =>
  parseStored<FrameOf<'send_message'>>(payload).content ?? '';
