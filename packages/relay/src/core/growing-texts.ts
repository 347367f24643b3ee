import { RecentMap } from '@drawbridge/base';
import { LIMITS, withMembers } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { eventText, type FrameOf, frameText, payloadText, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { DELTAS, type SubscriberView } from './peers.ts';
import type { RelayEvent } from './ports.ts';

type Op = FrameOf<'message_delta'>['op'];
type Message = FrameOf<'message_event'>['message'];

/** The last message of an agent in a session, as its watchers have it. */
interface GrowingText {
  readonly message_id: string;
  readonly role: string;
  readonly stored: number;
  text: string;
  /** Watchers that were sent every append since the last event; undefined before the first. */
  holders: WeakSet<Peer> | undefined;
  /** The open block of its deltas; the next version is followed by another block. */
  block: { readonly index: number; seq: number };
}

const APPENDS = 'appends';
const CONTINUED = 'continued';
/** Sessions whose agents may write at the same time. Others get whole events. */
const REMEMBERED = 256;

/** Sends the watchers on this node each part of a growing message once. */
export function createGrowingTexts({ peers, now }: Pick<CoreContext, 'peers' | 'now'>) {
  const texts = new RecentMap<string, GrowingText>(REMEMBERED);

  /** CHT-358: the same text for browsers that know deltas alone. */
  const delta = (
    session_id: string,
    { message_id, role, block }: GrowingText,
    op: Op,
    text?: string,
  ): void => {
    const place = { session_id, message_id, role, block_index: block.index, block_type: 'text' };
    const part = { ...place, seq: block.seq, op, ...(text !== undefined && { append: text }) };
    block.seq += 1;
    peers.show(session_id, frameText({ type: 'message_delta', ...part }, now()), DELTAS, { unless: APPENDS });
  };

  const append = (session_id: string, text: string): void => {
    const { message_id, offset, text: added } = trustAppend(text);
    const known = texts.get(session_id);
    const isNext = known?.message_id === message_id && known.text.length === offset;
    if (known !== undefined && !isNext) texts.delete(session_id);
    const holders = isNext && known.holders === undefined ? new WeakSet<Peer>() : undefined;
    peers.show(session_id, text, APPENDS, {
      onShown: (peer) => {
        if (peer.features.has(CONTINUED)) holders?.add(peer);
      },
    });
    if (!isNext) return;
    if (known.block.seq === 0) delta(session_id, known, 'block_open');
    for (let at = 0; at < added.length; at += LIMITS.delta.value)
      delta(session_id, known, 'append', added.slice(at, at + LIMITS.delta.value));
    known.text += added;
    known.holders ??= holders;
  };

  /** CHT-298: the event without the text that its holders have. */
  const continued = (event: RelayEvent, message: Message): ((peer: Peer) => string | undefined) => {
    const known = texts.get(event.session_id);
    const holders = known?.message_id === message.message_id ? known.holders : undefined;
    if (known === undefined || holders === undefined || !message.content.startsWith(known.text))
      return () => undefined;
    const offset = known.text.length;
    const content = message.content.slice(offset);
    let text: string | undefined;
    return (peer) => {
      if (!holders.has(peer)) return undefined;
      text ??= eventText(withContent(event, message, content, offset));
      return text;
    };
  };

  return {
    /** Sends a `message_append`, given as text, to the watchers that list the feature. */
    append,
    /** A message of an agent. */
    broadcast: (event: RelayEvent, subscriberView: () => SubscriberView): void => {
      const message = trustStored<Message>(event.payload['message']);
      const before = texts.get(event.session_id);
      if (before !== undefined && before.block.seq > 0) delta(event.session_id, before, 'block_close');
      peers.broadcast(event, subscriberView, continued(event, message));
      const { message_id, content, role } = message;
      const isSame = before?.message_id === message_id;
      const index = isSame ? before.block.index + (before.block.seq > 0 ? 1 : 0) : 0;
      const text = { message_id, role, stored: content.length, text: content };
      texts.set(event.session_id, { ...text, holders: undefined, block: { index, seq: 0 } });
    },
    /** Sends a peer that has the stored version the text since. */
    catchUp: (peer: Peer, session_id: string): void => {
      const known = texts.get(session_id);
      if (known === undefined || !peer.features.has(APPENDS) || known.text.length === known.stored) return;
      const { message_id, stored: offset } = known;
      const text = known.text.slice(offset);
      peer.send(frameText({ type: 'message_append', session_id, message_id, offset, text }, now()), 'live');
      if (peer.features.has(CONTINUED)) known.holders?.add(peer);
    },
  };
}

function withContent(event: RelayEvent, message: Message, content: string, offset: number): RelayEvent {
  const payload = trustJson({ ...event.payload, offset, message: { ...message, content } });
  const { payload_text, ...rest } = event;
  if (payload_text === undefined) return { ...rest, payload };
  const text = payloadText({ ...rest, payload_text }, { content }, false);
  return { ...rest, payload, payload_text: withMembers(text, { offset: `${offset}` }) };
}

/** A frame of the leader. */
const trustAppend = (text: string): FrameOf<'message_append'> => JSON.parse(text);
