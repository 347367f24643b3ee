import { BridgeError, pusherBatch, pusherTrigger } from '@drawbridge/protocol';
import { PUSHER_EVENTS } from '@drawbridge/protocol/http';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { CoreClock } from '../core/ports.ts';
import { type RelayEnv, refuse } from '../server/relay-env.ts';
import { serveOwnRoutes } from '../server/serve-routes.ts';
import type { ChannelEvent, Channels } from './channels.ts';
import { isPresence } from './presence.ts';
import { MAX_DATA_BYTES } from './pusher-connection.ts';
import { type PusherApp, signatureProblem } from './signature.ts';

export interface TriggerRoutesOptions {
  readonly app: PusherApp;
  readonly channels: Channels;
  readonly clock: CoreClock;
  readonly endUser: (user: string) => void;
}

interface Publication extends ChannelEvent {
  readonly socket_id?: string | undefined;
}

/** Ten events of the largest size, with every quote in them escaped. */
const BODY_BYTES = 20 * MAX_DATA_BYTES + 65_536;
/** INT-206: number of remembered keys, newest kept. */
const MAX_KEYS = 1_000;

/** `/apps/{appId}/{events,batch_events,channels,users}`, for programs that have the secret. */
export function triggerRoutes({ app, channels, clock, endUser }: TriggerRoutesOptions): Hono<RelayEnv> {
  const seen = new Set<string>();

  /** INT-202 to INT-204 */
  const signed: MiddlewareHandler<RelayEnv> = async (context, next) => {
    context.header('cache-control', 'no-store');
    if (context.req.param('appId') !== app.app_id)
      return refuse(context, 'not_found', 'There is no such app.');
    const { pathname, searchParams } = new URL(context.req.url);
    const body = await context.req.text();
    const call = { method: context.req.method, path: pathname, body, now: clock.now() };
    const problem = signatureProblem(app, call, searchParams);
    return problem === undefined ? next() : refuse(context, 'unauthorized', problem);
  };

  const publish = async (context: Context, parse: (body: string) => readonly Publication[]) => {
    const body = await context.req.text();
    let publications: readonly Publication[];
    try {
      publications = parse(body);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      return refuse(context, 'invalid_request', error.message);
    }
    if (publications.some(({ data }) => Buffer.byteLength(data) > MAX_DATA_BYTES)) return tooLarge(context);
    if (isNew(body)) for (const { socket_id, ...event } of publications) channels.publish(event, socket_id);
    return context.json({});
  };

  /** The library's `params` become fields of the body. */
  const isNew = (body: string): boolean => {
    const { idempotency_key: key } = JSON.parse(body);
    if (typeof key !== 'string') return true;
    if (seen.has(key)) return false;
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > MAX_KEYS && oldest !== undefined) seen.delete(oldest);
    return true;
  };

  const attributes = (channel: string, info = '') => ({
    ...(info.includes('user_count') && isPresence(channel) && { user_count: channels.people(channel).size }),
    ...(info.includes('subscription_count') && { subscription_count: channels.sizeOf(channel) }),
  });

  const steps = [bodyLimit({ maxSize: BODY_BYTES, onError: tooLarge }), signed];
  return serveOwnRoutes(PUSHER_EVENTS, () => steps, {
    'POST /apps/{appId}/events': ({ context }) => publish(context, parseTrigger),
    'POST /apps/{appId}/batch_events': ({ context }) => publish(context, parseBatch),
    'GET /apps/{appId}/channels': ({ query }) => {
      const { filter_by_prefix: prefix = '', info } = query;
      const names = channels.names().filter((name) => name.startsWith(prefix));
      return { channels: Object.fromEntries(names.map((name) => [name, attributes(name, info)])) };
    },
    'GET /apps/{appId}/channels/{channel}': ({ params: { channel }, query: { info } }) => {
      const occupied = channels.sizeOf(channel) > 0;
      return { occupied, ...attributes(channel, info) };
    },
    'GET /apps/{appId}/channels/{channel}/users': ({ params: { channel }, refuse }) => {
      if (!isPresence(channel)) return refuse('invalid_request', 'Only a presence channel knows its users.');
      return { users: [...channels.people(channel).keys()].map((id) => ({ id })) };
    },
    'POST /apps/{appId}/users/{user}/terminate_connections': ({ params: { user } }) => {
      endUser(user);
      return {};
    },
  });
}

const tooLarge = (context: Context): Response =>
  refuse(context, 'file_too_large', `An event carries at most ${MAX_DATA_BYTES} bytes of data.`);

function parseTrigger(body: string): readonly Publication[] {
  const { name, data, channels, socket_id } = pusherTrigger.parse(body);
  return channels.map((channel) => ({ event: name, channel, data, socket_id }));
}

const parseBatch = (body: string): readonly Publication[] =>
  pusherBatch.parse(body).batch.map(({ name, ...rest }) => ({ event: name, ...rest }));
