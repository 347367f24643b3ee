import type { Session } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { CONTENT_BLOCKS, eventText, type FrameOf, frameText, trustJson, trustStored } from './frames.ts';
import { LATEST_FEATURES } from './latest-frames.ts';
import { DELIVERIES } from './passed-frames.ts';
import type { Peer } from './peer.ts';
import type { SubscriberView } from './peers.ts';
import type { RelayEvent } from './ports.ts';
import { RESYNC } from './resyncs.ts';

/** CHT-320 to CHT-322: browsers that show a few sessions and get summaries of the rest. */
export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** A subscriber knows these frames and fields without listing them. */
const NEWER = [CONTENT_BLOCKS, 'deltas', 'chunks', 'scheduled_sends', DELIVERIES, RESYNC, ...LATEST_FEATURES];

/** Events that only subscribers of their session get. */
const FILTERED: ReadonlySet<string> = new Set(['message_event', 'message_edited']);
const SNIPPET_CHARS = 200;
const MAX_REMEMBERED = 1_000;

export function createSubscriptions(
  context: CoreContext,
  onSubscribed: (peer: Peer, session_id: string) => void,
) {
  const { node_id: state_epoch, now } = context;
  let state_seq = 0;
  /** The latest message of a session that was counted as unread. */
  const counted = new Map<string, string | null>();

  const next = () => {
    state_seq += 1;
    return { state_epoch, state_seq };
  };

  const isNewMessage = ({ type, session_id, message_id }: RelayEvent, role: string): boolean => {
    if (type !== 'message_event' || role === 'user' || counted.get(session_id) === message_id) return false;
    counted.delete(session_id);
    counted.set(session_id, message_id);
    const [oldest] = counted.keys();
    if (counted.size > MAX_REMEMBERED && oldest !== undefined) counted.delete(oldest);
    return true;
  };

  const summary = (event: RelayEvent, { status, activity }: Session): string => {
    const { session_id, payload, at } = event;
    const said = payload['message'];
    const { content = '', role = '' } = trustStored<{ content?: string; role?: string }>(said ?? {});
    const isSaid = said !== undefined;
    return frameText(
      {
        ...{ type: 'session_summary', session_id, status, ...(activity && { activity }) },
        ...(isSaid && {
          last_snippet: content.slice(0, SNIPPET_CHARS),
          last_message_at: Math.floor(at / 1_000),
        }),
        unread_delta: isNewMessage(event, role) ? 1 : 0,
        ...next(),
      },
      now(),
    );
  };

  const patch = (event: RelayEvent, before: Session, after: Session): string => {
    const was = new Map(Object.entries(before));
    const is = new Map(Object.entries(after));
    const same = (key: string): boolean => JSON.stringify(was.get(key)) === JSON.stringify(is.get(key));
    const changed = [...is].filter(([key]) => !same(key));
    const removed_fields = [...was.keys()].filter((key) => !is.has(key));
    const body = { patch: Object.fromEntries(changed), removed_fields, ...next() };
    return eventText({ ...event, type: 'session_patch', payload: trustJson(body) });
  };

  const viewOf = (
    event: RelayEvent,
    shown: Session | undefined,
    before: Session | undefined,
  ): SubscriberView => {
    if (shown === undefined) return { subscribed: undefined, others: undefined };
    if (event.type === 'session_up' && before !== undefined && before.status !== 'disconnected') {
      const text = patch(event, before, shown);
      return { subscribed: text, others: text };
    }
    if (event.type === 'session_status') {
      const payload = { ...event.payload, ...next() };
      return { subscribed: eventText({ ...event, payload }), others: summary(event, shown) };
    }
    return { subscribed: undefined, others: FILTERED.has(event.type) ? summary(event, shown) : undefined };
  };

  return {
    subscribe: (peer: Peer, { sessions, request_id }: FrameOf<'subscribe'>): void => {
      const seen = [...new Set(sessions)].filter((session_id) => peer.sessions?.has(session_id) ?? true);
      peer.subscribed = new Set(seen);
      for (const feature of NEWER) peer.features.add(feature);
      peer.answer({
        ...{ type: 'subscription_ack', ...(request_id && { request_id }), sessions: seen, state_epoch },
      });
      for (const session_id of seen) onSubscribed(peer, session_id);
    },
    /** `before` is the session object before the event. */
    viewOf,
  };
}
