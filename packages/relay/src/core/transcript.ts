import type { EventRecord } from '@drawbridge/ledger';
import { asWritten, membersOf } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import type { Echoes } from './echoes.ts';
import { type FrameOf, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { storedOrRefused } from './refusals.ts';
import { MAX_MESSAGE_CHARS } from './sends.ts';
import type { Streams } from './streams.ts';

type Observed = FrameOf<'proxy_message'>;
type Message = FrameOf<'message_event'>['message'];
/** A proxy's message with any field that it may have set. */
type Observation = Observed['message'] & Partial<Pick<Message, 'client_message_id' | 'status'>>;

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

  /** CHT-312: frames of messages that are not stored yet, as they came. */
  const sources = new WeakMap<Message, string>();

  /** The payload as the proxy wrote it, when `JSON.stringify` would write another. */
  const textOf = (message: Message): { readonly payload_text: string } | undefined => {
    const frame = sources.get(message);
    sources.delete(message);
    const source = frame && membersOf(frame).get('message')?.value;
    const own = JSON.stringify(message);
    if (source === undefined || source === own) return undefined;
    const text = asWritten(message, source);
    return text === own ? undefined : { payload_text: `{"message":${text}}` };
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
    const more = { at: context.now(), message_id, ...textOf(message) };
    const event = context.event(session_id, 'message_event', { message }, more);
    const stored = await storedOrRefused(context, peer, frame, context.commit(session_id, [event]));
    if (!stored) recentOf(session_id).delete(message_id);
    return stored;
  };

  const messageIn = (frame: Observed, message_id: string): Message => {
    // CHT-312: fields that only the relay sets are not the proxy's to send.
    const { client_message_id: _, status: __, ...message }: Observation = frame.message;
    return { ...message, message_id };
  };

  const add = (peer: Peer, frame: Observed, message_id: string, text: string): void => {
    const message = messageIn(frame, message_id);
    sources.set(message, text);
    streams.drop(frame.session_id, message_id);
    streams.flush(frame.session_id);
    remember(frame.session_id, message);
    context.run(store(peer, frame, message));
  };

  const change = (peer: Peer, frame: Observed, known: Message, text: string): void => {
    const message = messageIn(frame, known.message_id);
    if (!isGrown(known, message)) {
      add(peer, frame, known.message_id, text);
      return;
    }
    sources.set(message, text);
    streams.flush(frame.session_id, known.message_id);
    remember(frame.session_id, message);
    streams.grow(frame.session_id, message, known.content.length, {
      store: (latest) => store(peer, frame, latest),
      repeats: peer.features.has('stored'),
    });
  };

  /** CHT-164, CHT-165 */
  const compare = async (peer: Peer, frame: Observed, message_id: string, text: string): Promise<void> => {
    const event = await ledger.latestOfMessage(frame.session_id, message_id);
    const stored = event && messageOf(event);
    if (stored?.client_message_id !== undefined) {
      await echoes.load(frame.session_id);
      echoes.observe(frame.session_id, stored.content);
    } else if (stored === undefined && frame.message.message_id === undefined && mayEcho(frame.message)) {
      await addUnlessEcho(peer, frame, text);
    } else if (stored === undefined || !sameContent(stored, frame.message))
      add(peer, frame, message_id, text);
  };

  const addUnlessEcho = async (peer: Peer, frame: Observed, text: string): Promise<void> => {
    await echoes.load(frame.session_id);
    const { source_message_id } = frame.message;
    const message_id = source_message_id ?? context.id('msg');
    if (!echoes.observe(frame.session_id, frame.message.content)) add(peer, frame, message_id, text);
    // CHT-314: the same record again is the same echo.
    else if (source_message_id !== undefined) remember(frame.session_id, messageIn(frame, message_id));
  };

  return {
    observe: (peer, frame, text) => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return undefined;
      if (text.length > MAX_MESSAGE_CHARS) {
        peer.refuse(frame, 'invalid_message', `The message is longer than ${MAX_MESSAGE_CHARS} characters.`);
        return undefined;
      }
      const { source_message_id } = frame.message;
      const message_id = frame.message.message_id ?? source_message_id;
      if (message_id !== undefined) {
        const known = recentOf(frame.session_id).get(message_id);
        if (known === undefined) return compare(peer, frame, message_id, text);
        if (!sameContent(known, frame.message)) change(peer, frame, known, text);
      } else if (mayEcho(frame.message)) return addUnlessEcho(peer, frame, text);
      else add(peer, frame, context.id('msg'), text);
      return undefined;
    },
    flush: streams.flush,
  };
}

/** A proxy may observe a person's send in the conversation. */
const mayEcho = ({ role }: Observed['message']): boolean => role === 'user';

const messageOf = ({ payload }: EventRecord): Message => trustStored(payload['message']);

/** True when only text was added to the end. */
function isGrown(before: Message, now: Message): boolean {
  // Blocks repeat the text: they come with the next stored version.
  const rest = ({ content: _, created_at: __, content_blocks: ___, ...more }: Message): string =>
    JSON.stringify({ ...more, source_cursor: null });
  if (before.content === '' || before.content.length === now.content.length) return false;
  return now.content.startsWith(before.content) && rest(before) === rest(now);
}

type Content = Pick<Message, 'content' | 'attachments' | 'content_blocks'>;

function sameContent(before: Content, now: Content): boolean {
  if (before.content !== now.content) return false;
  const rest = ({ attachments = [], content_blocks = null }: Content): string =>
    JSON.stringify([attachments, content_blocks]);
  return rest(before) === rest(now);
}
