import type { Write } from '@drawbridge/ledger';
import { withMembers } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { chatError, type FrameOf, timeText, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { NO_SUCH_SESSION, storedOrRefused } from './refusals.ts';
import type { SendPayload } from './send.ts';
import { MAX_MESSAGE_CHARS } from './sends.ts';

type Cancel = FrameOf<'cancel_message'>;
type Edit = FrameOf<'edit_message'>;

/** Cancels and edits sends that are still queued in the relay (feature `queue`). */
export type QueueEdits = ReturnType<typeof createQueueEdits>;

const NO_SUCH_MESSAGE = 'There is no such message, or it is not accepted yet.';
const TOO_LONG = `The message would be longer than ${MAX_MESSAGE_CHARS} characters. Attach it as a file.`;
const TOO_LATE = 'Too late to change: the message is on its way or settled.';
const CANCELLED = chatError('cancelled', 'A person took the message back before it was delivered.');

export function createQueueEdits(context: CoreContext) {
  const { ledger, sessions } = context;

  const change = async (peer: Peer, frame: Cancel | Edit, writes: readonly Write[]): Promise<void> => {
    const outcome = await context.commit(frame.session_id, writes);
    if (outcome.committed) return;
    const unknown = outcome.refusal.reason === 'message_unknown';
    peer.refuse(frame, 'send_rejected', unknown ? NO_SUCH_MESSAGE : TOO_LATE);
  };

  const changeOrRefuse = async (peer: Peer, frame: Cancel | Edit, work: () => Promise<void>) => {
    const session = await sessions.find(frame.session_id);
    if (context.sessions.isSeenBy(peer, session)) await storedOrRefused(context, peer, frame, work());
    else peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
  };

  const cancelWrites = ({ session_id, client_message_id }: Cancel): readonly Write[] => {
    const at = context.now();
    const sent = { message_id: client_message_id, client_message_id };
    const error = trustJson(CANCELLED);
    return [
      { do: 'settle_message', session_id, client_message_id, state: 'failed', attempt: 0, error, at },
      context.event(session_id, 'message_cancelled', { ...sent, cancelled_at: timeText(at) }, { at }),
    ];
  };

  const editWrites = (frame: Edit, { payload: before, payload_text }: SendPayload): readonly Write[] => {
    const { session_id, client_message_id, content } = frame;
    const at = context.now();
    const sent = { message_id: client_message_id, client_message_id };
    const { created_at, attachments } = trustStored<FrameOf<'send_message'>>(before);
    const message = trustJson({
      ...sent,
      role: 'user',
      content,
      created_at,
      ...(attachments && { attachments }),
    });
    const body = { ...sent, content, edited_at: timeText(at), message };
    return [
      {
        ...{ do: 'edit_message', session_id, client_message_id, payload: { ...before, content } },
        ...(payload_text !== undefined && {
          payload_text: withMembers(payload_text, { content: JSON.stringify(content) }),
        }),
      },
      context.event(session_id, 'message_edited', body, { at, message_id: client_message_id }),
    ];
  };

  const edit = async (peer: Peer, frame: Edit): Promise<void> => {
    const waiting = await ledger.message(frame.session_id, frame.client_message_id);
    // The other fields of the send stay, and all of it must fit in a frame.
    const chars = JSON.stringify({ ...waiting?.payload, content: frame.content }).length;
    if (waiting === undefined) peer.refuse(frame, 'send_rejected', NO_SUCH_MESSAGE);
    else if (chars > MAX_MESSAGE_CHARS) peer.refuse(frame, 'send_rejected', TOO_LONG);
    else await change(peer, frame, editWrites(frame, waiting));
  };

  return {
    cancel: (peer: Peer, frame: Cancel) =>
      context.run(changeOrRefuse(peer, frame, () => change(peer, frame, cancelWrites(frame)))),
    edit: (peer: Peer, frame: Edit) => context.run(changeOrRefuse(peer, frame, () => edit(peer, frame))),
  };
}
