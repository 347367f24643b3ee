import { RecentMap } from '@drawbridge/base';
import { type ChatFeature, itemsOf, membersOf, NO_TIME, UNNAMED } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, frameText, timeText, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import type { Transcript } from './transcript.ts';

type Snapshot = FrameOf<'history_snapshot'>;
type Resync = FrameOf<'transcript_resync_required'>;
type Message = Snapshot['messages'][number];

/** CHT-357: a proxy's own snapshot of a conversation, and gaps in its record. */
export type Resyncs = ReturnType<typeof createResyncs>;

export const RESYNC: ChatFeature = 'resync';
const MAX_REMEMBERED = 1_000;
/** Stored messages among which a snapshot without ids begins. */
const LATEST_MESSAGES = 100;

export function createResyncs(
  context: CoreContext,
  transcript: Transcript,
  publish: (session_id: string, text: string, feature: string) => void,
) {
  /** By session: the place of its last message in the agent's record. */
  const cursors = new RecentMap<string, { readonly generation: unknown; readonly index: number }>(
    MAX_REMEMBERED,
  );

  const show = (resync: Omit<Resync, 'type' | 'protocol_version'>): void =>
    publish(
      resync.session_id,
      frameText({ type: 'transcript_resync_required', ...resync }, context.now()),
      RESYNC,
    );

  /** CHT-375: those after the newest stored message that the snapshot has too. */
  const afterStored = async (peer: Peer, session_id: string, messages: readonly Message[]) => {
    await Promise.allSettled(peer.storing);
    const page = await context.ledger.transcriptBefore(session_id, Number.MAX_SAFE_INTEGER, LATEST_MESSAGES);
    const stored = (page?.events ?? []).map(({ payload }) => trustStored<Message>(payload['message']));
    if (stored.length === 0) return messages;
    const isOf = (known: Message) => (message: Message) =>
      known.content !== '' && message.role === known.role && message.content.startsWith(known.content);
    const places = stored.map((known) => messages.findLastIndex(isOf(known)));
    const last = places.findLast((place) => place >= 0);
    return last === undefined ? [] : messages.slice(last + 1);
  };

  const withoutPlaceholders = ({ message_id: _, created_at, ...message }: Message) => ({
    ...message,
    created_at: created_at === NO_TIME ? timeText(context.now()) : created_at,
  });

  /** Messages to observe, by their place: all named ones, and those without an id that are not stored. */
  const observable = async (peer: Peer, { session_id, messages }: Snapshot) => {
    const all = [...messages.entries()];
    const [named, unnamed] = [false, true].map((isUnnamed) =>
      all.filter(([, { message_id }]) => (message_id === UNNAMED) === isUnnamed),
    );
    if (unnamed === undefined || unnamed.length === 0) return all;
    const missing = await afterStored(
      peer,
      session_id,
      unnamed.map(([, message]) => message),
    );
    const rest = unnamed.slice(unnamed.length - missing.length);
    const found = rest.map(([place, message]) => [place, withoutPlaceholders(message)] as const);
    return [...(named ?? []), ...found];
  };

  return {
    snapshot: async (peer: Peer, frame: Snapshot, text: string): Promise<void> => {
      const { session_id, messages, ...more } = frame;
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      peer.charge(messages.length);
      const fieldsAsWritten = membersOf(text);
      const written = itemsOf(
        (fieldsAsWritten.get('messages') ?? fieldsAsWritten.get('history'))?.value ?? '[]',
      );
      for (const [place, message] of await observable(peer, frame)) {
        const observed = { type: 'proxy_message', protocol_version: 1, session_id, message } as const;
        await transcript.observe(peer, observed, `{"message":${written[place]}}`);
      }
      cursors.delete(session_id);
      const fields = new Map<string, unknown>(Object.entries(more));
      const [reason, source] = [fields.get('resync_reason'), fields.get('source')];
      show({
        session_id,
        reason: typeof reason === 'string' && reason !== '' ? reason.slice(0, 256) : 'history_snapshot',
        ...(typeof source === 'string' && source !== '' && { source: source.slice(0, 256) }),
      });
    },
    observe: ({ device_id }: Peer, { session_id, message }: FrameOf<'proxy_message'>): void => {
      // The transcript refuses it.
      if (context.sessions.get(session_id)?.proxy_device_id !== device_id) return;
      const fields = new Map<string, unknown>(Object.entries(message));
      const cursor = fields.get('source_cursor');
      if (typeof cursor !== 'object' || cursor === null) return;
      const generation = 'generation' in cursor ? cursor.generation : undefined;
      const index = 'message_index' in cursor ? cursor.message_index : undefined;
      if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return;
      const last = cursors.get(session_id);
      const expected = last !== undefined && last.generation === generation ? last.index + 1 : index;
      // An edit or a repeat of an earlier message.
      if (index < expected) return;
      cursors.set(session_id, { generation, index });
      if (index === expected) return;
      const places = { expected_message_index: expected, received_message_index: index };
      show({ session_id, reason: 'cursor_gap', ...places });
    },
  };
}
