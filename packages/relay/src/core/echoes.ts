import type { JsonObject, MessageRecord } from '@drawbridge/ledger';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, trustStored } from './frames.ts';

interface Awaited {
  readonly content: string;
  /** Undefined for a send without an outcome yet, which needs no timer. */
  cancel: (() => void) | undefined;
}

/** CHT-165: sends that a proxy may observe in the agent and report as new messages. */
export type Echoes = ReturnType<typeof createEchoes>;

/** An echo comes soon after its send, or never. */
const AWAITED = 100;
const AWAITED_MS = 10 * 60_000;
/** The wall clock is trusted for days, not for minutes (CHT-114). */
const LONGEST_JUMP_MS = 5 * 86_400_000;

export function createEchoes({ ledger, now, after }: CoreContext) {
  /** By session, then by send, the oldest first. */
  const awaited = new Map<string, Map<string, Awaited>>();
  const loaded = new Set<string>();

  const trim = (sends: Map<string, Awaited>): void => {
    for (const [id, { cancel }] of [...sends].slice(0, -AWAITED)) {
      cancel?.();
      sends.delete(id);
    }
  };

  /** A restart restarts the full time. */
  const mayEcho = ({ state, attempt, error, settled_at }: MessageRecord): boolean => {
    if (state === 'accepted') return attempt > 0;
    const mayBeThere = state === 'delivered' || error?.['indeterminate'] === true;
    return mayBeThere && now() - (settled_at ?? 0) <= LONGEST_JUMP_MS;
  };

  const settled = (session_id: string, client_message_id: string, mayBeThere: boolean): void => {
    const sends = awaited.get(session_id);
    const sent = sends?.get(client_message_id);
    if (sends === undefined || sent === undefined) return;
    sent.cancel?.();
    if (!mayBeThere) sends.delete(client_message_id);
    else
      sent.cancel = after(AWAITED_MS, () => {
        const now = awaited.get(session_id);
        if (now?.get(client_message_id) === sent) now.delete(client_message_id);
      });
  };

  return {
    /** The send leaves for its proxy, as people last edited it. */
    left: (session_id: string, client_message_id: string, payload: JsonObject): void => {
      const sends = awaited.get(session_id) ?? new Map<string, Awaited>();
      awaited.set(session_id, sends);
      // The same send may have been loaded from the ledger a moment ago.
      sends.get(client_message_id)?.cancel?.();
      sends.delete(client_message_id);
      sends.set(client_message_id, { content: contentOf(payload), cancel: undefined });
      if (sends.size > 2 * AWAITED) trim(sends);
    },
    /** A send that never reached the agent has no echo; the same text there is a person's own. */
    settled,
    /** Loads the sends from before the relay's start, once per session. */
    load: async (session_id: string): Promise<void> => {
      if (loaded.has(session_id)) return;
      const page = await ledger.transcriptBefore(session_id, Number.MAX_SAFE_INTEGER, AWAITED);
      const ids = (page?.events ?? []).flatMap(({ payload }) => {
        const { client_message_id } = trustStored<FrameOf<'message_event'>['message']>(payload['message']);
        return client_message_id ?? [];
      });
      // An edited send appears more than once.
      const found = await Promise.all([...new Set(ids)].map((id) => ledger.message(session_id, id)));
      if (loaded.has(session_id)) return;
      loaded.add(session_id);
      const since = awaited.get(session_id) ?? [];
      const sends = new Map<string, Awaited>();
      for (const send of found) {
        if (send !== undefined && mayEcho(send))
          sends.set(send.client_message_id, { content: contentOf(send.payload), cancel: undefined });
      }
      for (const [id, sent] of since) {
        sends.delete(id);
        sends.set(id, sent);
      }
      trim(sends);
      awaited.set(session_id, sends);
      for (const send of found) {
        if (
          send !== undefined &&
          send.state !== 'accepted' &&
          sends.get(send.client_message_id)?.cancel === undefined
        )
          settled(session_id, send.client_message_id, true);
      }
    },
    /** True for the first echo of a send with exactly this text. */
    observe: (session_id: string, content: string): boolean => {
      const sends = awaited.get(session_id);
      for (const [id, sent] of sends ?? []) {
        if (sent.content !== content) continue;
        sent.cancel?.();
        sends?.delete(id);
        return true;
      }
      return false;
    },
  };
}

const contentOf = (payload: JsonObject): string =>
  trustStored<FrameOf<'send_message'>>(payload).content ?? '';
