import type { CommitResult, MessageRecord, Write } from '@drawbridge/ledger';
import { asWritten, LIMITS } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import type { Delivery } from './delivery.ts';
import { eventText, type FrameOf, timeText, trustJson } from './frames.ts';
import type { History } from './history.ts';
import type { NodeHeartbeat } from './node-heartbeat.ts';
import type { Peer } from './peer.ts';
import { NO_SUCH_SESSION, refuseUnstored } from './refusals.ts';
import { type Accepting, FAILURES } from './send.ts';
import type { LiveSession } from './sessions.ts';

type Send = FrameOf<'send_message'>;

/** Room for the ids around a message in the frames that repeat it. */
const ROOM_AROUND_A_MESSAGE = 8_192;
export const MAX_MESSAGE_CHARS = LIMITS.frame.value - ROOM_AROUND_A_MESSAGE;

const QUEUE_FULL = 'The proxy is away and the queue is full. Send it again when the proxy is back.';

export type Sends = ReturnType<typeof createSends>;

export function createSends(
  context: CoreContext,
  delivery: Delivery,
  history: History,
  heartbeat: NodeHeartbeat,
) {
  const { ledger, sessions, isLeader } = context;

  /** True when the session's proxy is not connected, which a follower knows from events. */
  const isAway = ({ proxy, shown }: LiveSession): boolean =>
    isLeader ? proxy === undefined : shown?.status === 'disconnected';

  /** One transaction: the send is accepted, appended, and forwarded or failed. */
  const writesOf = (
    device_id: string,
    frame: Send,
    { event_id, carrier, fails, payload_text }: Accepting,
  ): readonly Write[] => {
    const { session_id, client_message_id, content = '', attachments, content_blocks, created_at } = frame;
    const at = context.now();
    const sent = { message_id: client_message_id, client_message_id };
    const files = attachments && { attachments };
    const blocks = content_blocks !== undefined && { content_blocks };
    const message = { ...sent, role: 'user', content, created_at, ...files, ...blocks };
    return [
      {
        ...{ do: 'accept_message', session_id, client_message_id, device_id, at },
        payload: trustJson(frame),
        ...(payload_text !== undefined && { payload_text }),
        identity: trustJson({ attachments: attachments ?? [], content }),
        event: { event_id, payload: { ...sent, status: 'accepted', accepted_at: timeText(at) } },
        // A send that may not wait counts as expired when the next leader finds it queued.
        expires_at: frame.queue === false ? at : at + context.times.queue_ms,
      },
      context.event(
        session_id,
        'message_event',
        { message },
        { at, message_id: client_message_id, ...messageText(message, payload_text) },
      ),
      ...(carrier ? [{ do: 'forward_message', session_id, client_message_id } as const] : []),
      ...(fails ? delivery.settleWrites(session_id, client_message_id, FAILURES.away) : []),
    ];
  };

  const accept = (
    device_id: string,
    frame: Send,
    session: LiveSession,
    text: string,
    beside: readonly Write[] = [],
  ): Promise<CommitResult> => {
    const chars = text.length;
    const accepting: Accepting = {
      state: 'accepting',
      chars,
      sequence: Number.MAX_SAFE_INTEGER,
      event_id: context.id('evt'),
      payload: trustJson(frame),
      payload_text: textOf(frame, text),
      carrier: session.closed ? undefined : delivery.proxyReadyNow(session, chars),
      fails: session.closed || (isAway(session) && frame.queue === false),
    };
    const writes = [...writesOf(device_id, frame, accepting), ...beside];
    return delivery.accept(session, frame.client_message_id, accepting, writes);
  };

  const store = async (
    peer: Peer,
    frame: Send,
    session: LiveSession | undefined,
    text: string,
  ): Promise<void> => {
    const { session_id, client_message_id } = frame;
    if (!sessions.isSeenBy(peer, session)) {
      peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
      return;
    }
    try {
      const mayWait = !session.closed && frame.queue !== false;
      if (mayWait && isAway(session) && !delivery.hasRoom(session_id, text.length)) {
        // CHT-143: a full queue still accepts a retry of an accepted send.
        if ((await ledger.message(session_id, client_message_id)) === undefined) {
          peer.refuse(frame, 'send_rejected', QUEUE_FULL);
          return;
        }
      }
      const outcome = await accept(peer.device_id, frame, session, text);
      if (!outcome.committed) answerRefusal(peer, frame, outcome.refusal);
    } catch (error) {
      refuseUnstored(context, peer, frame, error, 'send_rejected');
    }
  };

  const answerRefusal = (
    peer: Peer,
    frame: Send,
    refusal: { readonly reason: string; readonly message?: MessageRecord },
  ): void => {
    const { reason, message } = refusal;
    if (reason === 'message_repeated' && message !== undefined) {
      const answer = (): void => peer.send(acceptedText(message), 'answer');
      const { session_id, sequence } = message;
      // The bus may have lost the first acceptance.
      if (!isLeader) heartbeat.appended(session_id);
      // Answered after the events before it, so that the peer receives everything in order.
      const before = [context.feed.reach(session_id, sequence), history.resumed(peer, session_id)];
      if (before.every((each) => each === undefined)) answer();
      else context.run(Promise.all(before).then(answer));
    } else if (reason === 'message_conflict') {
      const problem = 'Another message has this client_message_id. Send this one under a new id.';
      peer.refuse(frame, 'send_rejected', problem);
    } else peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
  };

  const holds = async (session_id: string, attachment_id: string): Promise<boolean> => {
    const file = await ledger.file(attachment_id);
    return file?.session_id === session_id;
  };

  const admit = async (peer: Peer, frame: Send, text: string): Promise<void> => {
    const session = await sessions.find(frame.session_id);
    const ids = (frame.attachments ?? []).map(({ attachment_id }) => attachment_id);
    if (context.sessions.isSeenBy(peer, session) && ids.length > 0) {
      const held = await Promise.all(ids.map((id) => holds(frame.session_id, id)));
      const missing = ids[held.indexOf(false)];
      if (held.includes(false)) {
        peer.refuse(
          frame,
          'send_rejected',
          `The relay does not hold the attachment ${missing}. Upload it first.`,
        );
        return;
      }
    }
    context.run(store(peer, frame, session, text));
  };

  return {
    /** Accepts a send of a device, together with the writes of `beside`. */
    accept,
    /** Returns a promise when the peer's later frames must wait, because nothing overtakes a send. */
    send: (peer: Peer, frame: Send, text: string): Promise<void> | undefined => {
      if (text.length > MAX_MESSAGE_CHARS) {
        const problem = `The message is ${text.length} characters long; the limit is ${MAX_MESSAGE_CHARS}. Attach it as a file.`;
        peer.refuse(frame, 'send_rejected', problem);
        return undefined;
      }
      const session = sessions.find(frame.session_id);
      if (session instanceof Promise || (frame.attachments ?? []).length > 0) return admit(peer, frame, text);
      context.run(store(peer, frame, session, text));
      return undefined;
    },
  };
}

/** Fields that have one way to be written, or whose value is all that counts. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'protocol_version', 'request_id', 'session_id', 'client_message_id', 'created_at', 'content'],
  ...['queue', 'attempt'],
]);

/** CHT-376: the frame as the person's program wrote it, when `JSON.stringify` would write another. */
function textOf(frame: Send, text: string): string | undefined {
  if (Object.keys(frame).every((name) => PLAIN.has(name))) return undefined;
  const written = asWritten(frame, text);
  return written === JSON.stringify(frame) ? undefined : written;
}

function messageText(
  message: object,
  frame: string | undefined,
): { readonly payload_text: string } | undefined {
  if (frame === undefined) return undefined;
  const written = asWritten(message, frame);
  return written === JSON.stringify(message) ? undefined : { payload_text: `{"message":${written}}` };
}

/** CHT-143: the same event as the first time. CHT-352: marked, because its sequence may be an old one. */
function acceptedText(message: MessageRecord): string {
  const { session_id, client_message_id, event_id, sequence, accepted_at: at } = message;
  const sent = { message_id: client_message_id, client_message_id };
  return eventText({
    session_id,
    sequence,
    event_id,
    type: 'message_accepted',
    payload: { ...sent, status: 'accepted', accepted_at: timeText(at), replayed: true },
    at,
    message_id: null,
  });
}
