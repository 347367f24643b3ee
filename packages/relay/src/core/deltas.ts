import { RecentMap } from '@drawbridge/base';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, frameText } from './frames.ts';
import type { Peer } from './peer.ts';
import { DELTAS } from './peers.ts';

/** CHT-323: parts of messages that are being written. They are passed on in order and never stored. */
export type Deltas = ReturnType<typeof createDeltas>;

const MAX_OPEN = 10_000;

export function createDeltas(
  context: CoreContext,
  publish: (session_id: string, text: string, feature: string) => void,
) {
  /** By block: the next `seq`. */
  const open = new RecentMap<string, number>(MAX_OPEN);

  /** False for a frame that is out of order, or of a block that is not open. */
  const isNext = (
    { connection_id }: Peer,
    { session_id, message_id, block_index, seq, op }: FrameOf<'message_delta'>,
  ): boolean => {
    // A proxy that restarted opens its blocks again.
    const key = JSON.stringify([connection_id, session_id, message_id, block_index]);
    const expected = open.get(key);
    if (op === 'block_open') {
      if (seq !== 0 || expected !== undefined) return false;
      open.set(key, 1);
      return true;
    }
    if (expected !== seq) return false;
    // A closed block stays known, so that a late frame does not open it again.
    open.set(key, op === 'block_close' ? Number.POSITIVE_INFINITY : seq + 1);
    return true;
  };

  return {
    observe: (peer: Peer, frame: FrameOf<'message_delta'>): void => {
      if (context.sessions.ofFrame(peer, frame) === undefined || !isNext(peer, frame)) return;
      const { session_id, message_id, block_index, seq, op, append } = frame;
      const { role = 'assistant', block_type = 'text' } = frame;
      const part = { session_id, message_id, role, block_index, block_type, seq, op };
      const text = frameText(
        { type: 'message_delta', ...part, ...(append !== undefined && { append }) },
        context.now(),
      );
      publish(session_id, text, DELTAS);
    },
  };
}
