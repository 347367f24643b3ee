import { BridgeError, type PusherFrame, pusher } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { CoreClock } from '../core/ports.ts';
import { type Channels, isPrivate, type Subscriber } from './channels.ts';
import { isPresence, parseMember } from './presence.ts';
import { channelAuth, isAuth, type PusherApp } from './signature.ts';

export interface ConnectionOptions {
  readonly app: PusherApp;
  readonly channels: Channels;
  readonly clock: CoreClock;
  readonly socket_id: string;
  readonly send: (text: string) => void;
  /** Closes with a code of `PUSHER_CLOSE_CODES`. */
  readonly close: (code: number, reason: string) => void;
}

const ACTIVITY_S = 120;
const PONG_MS = 30_000;
const MAX_CHANNELS = 100;
export const MAX_DATA_BYTES = 102_400;
const CLIENT_EVENTS_PER_SECOND = 10;
const MAX_CLIENT_EVENT_BYTES = 10_240;
/** The only code for client events among those that leave the connection open (43xx). */
const CLIENT_EVENT_REFUSED = 4301;
/** INT-304: refused authorisations in a row, after which the client waits. */
const MAX_REFUSALS = 10;
const REFUSALS_MS = 10_000;
/** Fits a frame around the largest data with every quote escaped. */
const MAX_FRAME_CHARS = 2 * MAX_DATA_BYTES;

type FrameOf<Event extends string> = Extract<PusherFrame, { readonly event: Event }>;
type Published = Exclude<PusherFrame, { readonly event: `pusher${string}` }>;

/** One client of protocol 7: https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/ */
export function createPusherConnection(options: ConnectionOptions) {
  const { app, channels, clock, socket_id, close } = options;
  const joined = new Set<string>();
  const subscriber: Subscriber = { socket_id, send: options.send };
  let isClosed = false;
  let clientEvents = 0;
  let user: string | undefined;
  let cancel = () => {};
  let cancelCount: (() => void) | undefined;
  let refusals = 0;
  let cancelRefusals: (() => void) | undefined;

  const send = (event: string, data: unknown, channel?: string): void => {
    if (!isClosed) options.send(JSON.stringify({ event, ...(channel !== undefined && { channel }), data }));
  };
  const refuse = (message: string, code: number | null = null) => send('pusher:error', { code, message });

  /** INT-179 */
  const awaitActivity = (): void => {
    cancel();
    cancel = clock.after(ACTIVITY_S * 1_000, () => {
      send('pusher:ping', {});
      cancel = clock.after(PONG_MS, () => close(4201, 'no pong came in time'));
    });
  };

  const problemOf = ({ channel, auth, channel_data }: FrameOf<'pusher:subscribe'>['data']) => {
    if (joined.size >= MAX_CHANNELS && !joined.has(channel)) {
      return `A connection joins at most ${MAX_CHANNELS} channels.`;
    }
    // INT-191
    if (channel.startsWith('#')) {
      return user !== undefined && channel === `#server-to-user-${user}`
        ? undefined
        : 'Sign in as that user.';
    }
    if (!isPrivate(channel)) return undefined;
    const signed = [socket_id, channel, ...(typeof channel_data === 'string' ? [channel_data] : [])];
    if (!isAuth(auth, channelAuth(app, ...signed))) return 'The auth is not of this connection.';
    const isNobody = isPresence(channel) && parseMember(channel_data) === undefined;
    return isNobody ? 'channel_data names no user_id, or has more than 2 KB.' : undefined;
  };

  const unsubscribe = ({ data: { channel } }: FrameOf<'pusher:unsubscribe'>): void => {
    joined.delete(channel);
    channels.leave(channel, subscriber);
  };

  const subscribe = ({ data }: FrameOf<'pusher:subscribe'>): void => {
    const { channel, channel_data } = data;
    const problem = problemOf(data);
    const member = isPresence(channel) ? parseMember(channel_data) : undefined;
    // A member who rejoins under another name leaves first.
    if (problem === undefined && member !== undefined) unsubscribe({ event: 'pusher:unsubscribe', data });
    const told = problem === undefined ? channels.join(channel, subscriber, member) : undefined;
    if (told === undefined) {
      const error = problem ?? 'There is no room for another member.';
      if (isRefusedTooOften()) {
        close(4100, 'too many subscriptions were refused: connect again later');
        return;
      }
      send('pusher:subscription_error', { type: 'AuthError', error, status: 401 }, channel);
      return;
    }
    joined.add(channel);
    send('pusher_internal:subscription_succeeded', told, channel);
    const first = channels.cached(channel);
    if (first !== undefined) options.send(first);
    if (!isPresence(channel)) {
      const count = JSON.stringify({ subscription_count: channels.sizeOf(channel) });
      send('pusher_internal:subscription_count', count, channel);
    }
  };

  /** INT-304: a client that guesses has to connect again, after a pause, for each few guesses. */
  const isRefusedTooOften = (): boolean => {
    refusals += 1;
    cancelRefusals ??= clock.after(REFUSALS_MS, () => {
      cancelRefusals = undefined;
      refusals = 0;
    });
    return refusals > MAX_REFUSALS;
  };

  /** INT-190 */
  const signIn = ({ data: { auth, user_data } }: FrameOf<'pusher:signin'>): void => {
    const id = parseUser(user_data);
    if (id === undefined || !isAuth(auth, channelAuth(app, socket_id, '', 'user', '', user_data))) {
      close(4009, 'the sign-in is not signed for this connection');
      return;
    }
    user = id;
    send('pusher:signin_success', { user_data });
  };

  /** INT-189: the window starts at its first event and lasts a second. */
  const isTooFast = (): boolean => {
    clientEvents += 1;
    cancelCount ??= clock.after(1_000, () => {
      cancelCount = undefined;
      clientEvents = 0;
    });
    return clientEvents > CLIENT_EVENTS_PER_SECOND;
  };

  const publicationProblem = ({ event, channel }: Published): string | undefined => {
    if (!event.startsWith('client-')) return 'A client sends only events named client-….';
    if (!isPrivate(channel)) return 'A client event needs a private channel.';
    return joined.has(channel) ? undefined : 'Join the channel before you send on it.';
  };

  /** INT-188 */
  const publish = (frame: Published): void => {
    const { event, channel, data } = frame;
    const problem = publicationProblem(frame);
    if (problem !== undefined) refuse(problem, CLIENT_EVENT_REFUSED);
    else if (Buffer.byteLength(textOf(data)) > MAX_CLIENT_EVENT_BYTES)
      refuse('A client event has at most 10 KB of data.', CLIENT_EVENT_REFUSED);
    else if (isTooFast()) refuse('Client events come too fast: at most 10 a second.', 4301);
    else {
      const { user_id } = channels.memberOf(channel, subscriber) ?? {};
      channels.publish({ event, channel, data: textOf(data), user_id }, socket_id);
    }
  };

  const act = (frame: PusherFrame): void => {
    if (is(frame, 'pusher:ping')) send('pusher:pong', {});
    else if (is(frame, 'pusher:subscribe')) subscribe(frame);
    else if (is(frame, 'pusher:unsubscribe')) unsubscribe(frame);
    else if (is(frame, 'pusher:signin')) signIn(frame);
    else if (isPublished(frame)) publish(frame);
  };

  // INT-63: the data is JSON within JSON.
  send('pusher:connection_established', JSON.stringify({ socket_id, activity_timeout: ACTIVITY_S }));
  awaitActivity();

  return {
    receive(text: string): void {
      if (isClosed) return;
      awaitActivity();
      const frame = parseFrame(text);
      if (typeof frame === 'string') refuse(frame);
      else act(frame);
    },
    /** The signed-in user. */
    user: (): string | undefined => user,
    hasJoined: (): boolean => joined.size > 0 || user !== undefined,
    /** A signature of the app let it in to a channel, or signed its user in. */
    isAuthorised: (): boolean => user !== undefined || [...joined].some(isPrivate),
    /** The socket has ended. Idempotent. */
    closed(): void {
      isClosed = true;
      cancel();
      cancelCount?.();
      cancelRefusals?.();
      for (const channel of joined) channels.leave(channel, subscriber);
      joined.clear();
    },
  };
}

/** Returns a message for an invalid frame. */
function parseFrame(text: string): PusherFrame | string {
  if (text.length > MAX_FRAME_CHARS) return 'The frame is too long.';
  try {
    return pusher.parse(text);
  } catch (error) {
    if (error instanceof BridgeError) return error.message;
    throw error;
  }
}

function parseUser(user_data: string): string | undefined {
  const read = readJson(user_data, MAX_FRAME_CHARS);
  const id = read.ok && isObject(read.value) ? read.value['id'] : undefined;
  // INT-302: as with a presence user_id.
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

const is = <Event extends string>(frame: PusherFrame, event: Event): frame is FrameOf<Event> =>
  frame.event === event;

const isPublished = (frame: PusherFrame): frame is Published => pusher.kindOf(frame) === 'channel_event';
