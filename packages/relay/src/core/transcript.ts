import type { EventRecord } from '../ledger/records.ts';
import type { CoreContext } from './core-context.ts';
import type { Echoes } from './echoes.ts';
import { type FrameOf, parseStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { storedOrRefused } from './refusals.ts';
import { MAX_MESSAGE_CHARS } from './sends.ts';
import type { Streams } from './streams.ts';

type Observed = FrameOf<'proxy_message'>;
type Message = FrameOf<'message_event'>['message'];

/** Messages that proxies observe in a conversation. */
export interface Transcript extends Pick<Streams, 'flush'> {
  /** Returns a promise when the ledger must be read first; the peer's next message waits for it. */
  readonly observe: (peer: Peer, frame: Observed, text: string) => Promise<void> | undefined;
}

/** Messages remembered per session: an agent changes only its latest ones. */
const REMEMBERED = 64;

export function createTranscript(context: CoreContext, streams: Streams, echoes: Echoes): Transcript {
  const { ledger } = context;
  /** By session and message: the content committed last, stored or not. */
  const recent = new Map<string, Map<string, Message>>();

  const recentOf = (session_id: string) => {
    const there = recent.get(session_id) ?? new Map<string, Message>();
    recent.set(session_id, there);
    return there;
  };

  const remember = (session_id: string, message: Message): void => {
    const there = recentOf(session_id);
    there.delete(message.message_id);
    there.set(message.message_id, message);
    const [oldest] = there.keys();
    if (there.size > REMEMBERED && oldest !== undefined) there.delete(oldest);
  };

  /** CHT-302: a receipt waits for it. */
  const store = (peer: Peer, frame: Observed, message: Message): Promise<boolean> => {
    const storing = commitOf(peer, frame, message).finally(() => peer.storing.delete(storing));
    peer.storing.add(storing);
    return storing;
  };

  const commitOf = async (peer: Peer, frame: Observed, message: Message): Promise<boolean> => {
    const { session_id } = frame;
    const { message_id } = message;
    const event = context.event(session_id, 'message_event', { message }, { at: context.now(), message_id });
    const stored = await storedOrRefused(context, peer, frame, context.commit(session_id, [event]));
    if (!stored) recentOf(session_id).delete(message_id);
    return stored;
  };

  const messageIn = (frame: Observed, message_id: string): Message => {
    const { role, content, created_at, attachments, metadata } = frame.message;
    return {
      message_id,
      role,
      content,
      created_at,
      ...(attachments && { attachments }),
      ...(metadata && { metadata }),
    };
  };

  const add = (peer: Peer, frame: Observed, message_id: string): void => {
    const message = messageIn(frame, message_id);
    streams.drop(frame.session_id, message_id);
    streams.flush(frame.session_id);
    remember(frame.session_id, message);
    context.run(store(peer, frame, message));
  };

  const change = (peer: Peer, frame: Observed, known: Message): void => {
    const message = messageIn(frame, known.message_id);
    if (!isGrown(known, message)) {
      add(peer, frame, known.message_id);
      return;
    }
    streams.flush(frame.session_id, known.message_id);
    remember(frame.session_id, message);
    streams.grow(frame.session_id, message, known.content.length, {
      store: (latest) => store(peer, frame, latest),
      repeats: peer.features.has('stored'),
    });
  };

  /** CHT-164, CHT-165 */
  const compare = async (peer: Peer, frame: Observed, message_id: string): Promise<void> => {
    const event = await ledger.latestOfMessage(frame.session_id, message_id);
    const stored = event && messageOf(event);
    if (stored?.client_message_id !== undefined) {
      await echoes.load(frame.session_id);
      echoes.observe(frame.session_id, stored.content);
    } else if (stored === undefined || !sameContent(stored, frame.message)) add(peer, frame, message_id);
  };

  const addUnlessEcho = async (peer: Peer, frame: Observed): Promise<void> => {
    await echoes.load(frame.session_id);
    if (!echoes.observe(frame.session_id, frame.message.content)) add(peer, frame, context.id('msg'));
  };

  return {
    observe: (peer, frame, text) => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return undefined;
      if (text.length > MAX_MESSAGE_CHARS) {
        peer.refuse(frame, 'invalid_message', `The message is longer than ${MAX_MESSAGE_CHARS} characters.`);
        return undefined;
      }
      const { message_id, role } = frame.message;
      if (message_id !== undefined) {
        const known = recentOf(frame.session_id).get(message_id);
        if (known === undefined) return compare(peer, frame, message_id);
        if (!sameContent(known, frame.message)) change(peer, frame, known);
      } else if (role === 'user') return addUnlessEcho(peer, frame);
      else add(peer, frame, context.id('msg'));
      return undefined;
    },
    flush: streams.flush,
  };
}

const messageOf = ({ payload }: EventRecord): Message => parseStored(payload['message']);

/** True when only text was added to the end. */
function isGrown(before: Message, now: Message): boolean {
  const rest = ({ content: _, created_at: __, ...more }: Message): string => JSON.stringify(more);
  return before.content !== '' && now.content.startsWith(before.content) && rest(before) === rest(now);
}

type Content = Pick<Message, 'content' | 'attachments'>;

function sameContent(before: Content, now: Content): boolean {
  if (before.content !== now.content) return false;
  return JSON.stringify(before.attachments ?? []) === JSON.stringify(now.attachments ?? []);
}
