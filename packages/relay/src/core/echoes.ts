import type { Ledger } from '../ledger/ledger.ts';
import { type FrameOf, parseStored } from './frames.ts';

type Sent = Pick<FrameOf<'message_event'>['message'], 'message_id' | 'content'>;

/** CHT-165: sends that a proxy may observe in the agent, and then repeats as if they were new. */
interface Echoes {
  readonly sent: (session_id: string, message: Sent) => void;
  /** Takes up what was sent before the relay started; once a session. */
  readonly load: (session_id: string) => Promise<void>;
  /** True when a send of that very text has had no echo yet; now it has. */
  readonly heard: (session_id: string, content: string) => boolean;
}

/** An echo comes soon after its send, or never. */
const AWAITED = 100;

export function createEchoes(ledger: Ledger): Echoes {
  const awaited = new Map<string, Sent[]>();
  const loaded = new Set<string>();

  const keep = (session_id: string, sent: readonly Sent[]): void => {
    awaited.set(session_id, sent.slice(-AWAITED));
  };

  return {
    sent: (session_id, { message_id, content }) => {
      const there = awaited.get(session_id);
      if (there === undefined) awaited.set(session_id, [{ message_id, content }]);
      else if (there.push({ message_id, content }) > 2 * AWAITED) keep(session_id, there);
    },
    load: async (session_id) => {
      if (loaded.has(session_id)) return;
      const page = await ledger.transcriptBefore(session_id, Number.MAX_SAFE_INTEGER, AWAITED);
      loaded.add(session_id);
      const since = awaited.get(session_id) ?? [];
      const known = new Set(since.map(({ message_id }) => message_id));
      const earlier = (page?.events ?? [])
        .map(({ payload }) => parseStored<FrameOf<'message_event'>['message']>(payload['message']))
        .filter(
          ({ message_id, client_message_id }) => client_message_id !== undefined && !known.has(message_id),
        );
      keep(session_id, [...earlier, ...since]);
    },
    heard: (session_id, content) => {
      const there = awaited.get(session_id) ?? [];
      const place = there.findIndex((sent) => sent.content === content);
      if (place < 0) return false;
      there.splice(place, 1);
      return true;
    },
  };
}
