import { RecentMap } from '@drawbridge/base';
import type { ChatFeature } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, frameText } from './frames.ts';
import type { Peer } from './peer.ts';
import type { Transcript } from './transcript.ts';

type Snapshot = FrameOf<'history_snapshot'>;
type Resync = FrameOf<'transcript_resync_required'>;

/** CHT-357: a proxy's own snapshot of a conversation, and gaps in its record. */
export interface Resyncs {
  readonly snapshot: (peer: Peer, frame: Snapshot) => Promise<void>;
  readonly observe: (peer: Peer, frame: FrameOf<'proxy_message'>) => void;
}

export const RESYNC: ChatFeature = 'resync';
const MAX_REMEMBERED = 1_000;

export function createResyncs(
  context: CoreContext,
  transcript: Transcript,
  publish: (session_id: string, text: string, feature: string) => void,
): Resyncs {
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

  return {
    snapshot: async (peer, frame) => {
      const { session_id, messages, ...more } = frame;
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      peer.charge(messages.length);
      for (const message of messages) {
        const observed = { type: 'proxy_message', protocol_version: 1, session_id, message } as const;
        await transcript.observe(peer, observed, JSON.stringify(observed));
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
    observe: ({ device_id }, { session_id, message }) => {
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
