import type { MessageRecord } from '../ledger/records.ts';
import type { Base } from './base.ts';
import { type FrameOf, parseStored } from './frames.ts';

type Sent = Pick<FrameOf<'message_event'>['message'], 'message_id' | 'content'>;

interface Awaited extends Sent {
  callOff: () => void;
}

/** CHT-165: sends that a proxy may observe in the agent, and then repeats as if they were new. */
interface Echoes {
  readonly sent: (session_id: string, message: Sent) => void;
  /** One that is not in the agent has no echo: who types the same there has said it themselves. */
  readonly settled: (session_id: string, message_id: string, mayBeThere: boolean) => void;
  /** Takes up what was sent before the relay started; once a session. */
  readonly load: (session_id: string) => Promise<void>;
  /** True when a send of that very text has had no echo yet; now it has. */
  readonly heard: (session_id: string, content: string) => boolean;
}

/** An echo comes soon after its send, or never. */
const AWAITED = 100;
const AWAITED_MS = 10 * 60_000;
/** What the wall's clock says of minutes means nothing (CHT-114); of days it does. */
const LONGEST_JUMP_MS = 5 * 86_400_000;

/** Of one that has no time yet: most are forgotten before they have. */
const NOTHING = (): void => {};

export function createEchoes({ ledger, now, after }: Base): Echoes {
  const awaited = new Map<string, Awaited[]>();
  const loaded = new Set<string>();

  const keep = (session_id: string, sent: readonly Awaited[]): void => {
    for (const { callOff } of sent.slice(0, -AWAITED)) callOff();
    awaited.set(session_id, sent.slice(-AWAITED));
  };

  const drop = (session_id: string, isIt: (sent: Awaited) => boolean): boolean => {
    const there = awaited.get(session_id) ?? [];
    const place = there.findIndex(isIt);
    for (const { callOff } of place < 0 ? [] : there.splice(place, 1)) callOff();
    return place >= 0;
  };

  const awaitFor = (session_id: string, sent: Awaited, ms: number): void => {
    sent.callOff();
    sent.callOff = after(ms, () => drop(session_id, (each) => each === sent));
  };

  /** After a restart it has the whole time again; undefined for as long as it has no outcome. */
  const remaining = (send: MessageRecord | undefined): number | undefined => {
    if (send?.state === 'accepted') return undefined;
    const mayBeThere = send?.state === 'delivered' || send?.error?.['indeterminate'] === true;
    if (send === undefined || !mayBeThere) return 0;
    return now() - (send.settled_at ?? 0) > LONGEST_JUMP_MS ? 0 : AWAITED_MS;
  };

  const restore = async (session_id: string, message: Sent): Promise<readonly Awaited[]> => {
    const { message_id, content } = message;
    const left = remaining(await ledger.message(session_id, message_id));
    if (left === 0) return [];
    const sent = { message_id, content, callOff: NOTHING };
    if (left !== undefined) awaitFor(session_id, sent, left);
    return [sent];
  };

  return {
    sent: (session_id, { message_id, content }) => {
      const there = awaited.get(session_id) ?? [];
      const length = there.push({ message_id, content, callOff: NOTHING });
      if (length > 2 * AWAITED) keep(session_id, there);
      else awaited.set(session_id, there);
    },
    settled: (session_id, message_id, mayBeThere) => {
      const sent = awaited.get(session_id)?.find((each) => each.message_id === message_id);
      if (sent === undefined) return;
      if (mayBeThere) awaitFor(session_id, sent, AWAITED_MS);
      else drop(session_id, (each) => each === sent);
    },
    load: async (session_id) => {
      if (loaded.has(session_id)) return;
      const page = await ledger.transcriptBefore(session_id, Number.MAX_SAFE_INTEGER, AWAITED);
      const known = new Set(awaited.get(session_id)?.map(({ message_id }) => message_id));
      const earlier = (page?.events ?? [])
        .map(({ payload }) => parseStored<FrameOf<'message_event'>['message']>(payload['message']))
        .filter(
          ({ message_id, client_message_id }) => client_message_id !== undefined && !known.has(message_id),
        );
      const found = (await Promise.all(earlier.map((message) => restore(session_id, message)))).flat();
      if (loaded.has(session_id)) return;
      loaded.add(session_id);
      const since = awaited.get(session_id) ?? [];
      keep(session_id, [
        ...found.filter(({ message_id }) => !since.some((each) => each.message_id === message_id)),
        ...since,
      ]);
    },
    heard: (session_id, content) => drop(session_id, (sent) => sent.content === content),
  };
}
