import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { Hono, type HonoRequest } from 'hono';
import type { CoreClock } from '../core/ports.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isPerson } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import { type Notice, type NoticeRow, tagOf } from './notice.ts';
import type { Outbound } from './outbound.ts';
import type { PushDevices } from './push-devices.ts';
import { parseSubscription } from './push-subscription.ts';
import { parsePreferences } from './quiet-hours.ts';
import type { Screens } from './screens.ts';

export interface PushRoutesOptions {
  readonly credentials: Credentials;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly public_key: string;
  readonly devices: PushDevices;
  readonly screens: Screens;
  readonly outbound: Pick<Outbound, 'problemOf'>;
}

const BODY_CHARS = 16_384;
const TEST_MS = 10_000;

/** `/api/push`: every route is about the device that asks. */
export function pushRoutes(options: PushRoutesOptions): Hono<RelayEnv> {
  const { credentials, clock, id, public_key, devices, screens, outbound } = options;
  const routes = new Hono<RelayEnv>();
  routes.use('*', signedIn(credentials, isPerson), bodyOf(BODY_CHARS), noStore);

  return routes
    .get('/key', (context) => context.json({ public_key }))
    .get('/settings', async (context) => context.json(await devices.view(context.get('identity').device_id)))
    .put('/settings', async (context) => {
      const preferences = parsePreferences(await fieldsOf(context.req));
      if (typeof preferences === 'string') return refuse(context, 'invalid_request', preferences);
      const { device_id } = context.get('identity');
      await devices.prefer(device_id, preferences);
      return context.json(await devices.view(device_id));
    })
    .put('/subscription', async (context) => {
      const subscription = parseSubscription(await fieldsOf(context.req));
      if (typeof subscription === 'string') return refuse(context, 'invalid_request', subscription);
      const problem = outbound.problemOf(subscription.endpoint);
      if (problem !== undefined) return refuse(context, 'invalid_request', `"endpoint": ${problem}`);
      const { device_id } = context.get('identity');
      await devices.subscribe(device_id, subscription);
      return context.json(await devices.view(device_id));
    })
    .delete('/subscription', async (context) => {
      await devices.unsubscribe(context.get('identity').device_id);
      return context.body(null, 204);
    })
    .put('/visible', async (context) => {
      const { session_id, screen_id = '' } = await fieldsOf(context.req);
      const isSession = session_id === null || isName(session_id);
      if (!isSession || (screen_id !== '' && !isName(screen_id))) {
        return refuse(context, 'invalid_request', VISIBLE_SHAPE);
      }
      screens.show(context.get('identity').device_id, screen_id, session_id);
      return context.body(null, 204);
    })
    .post('/test', async (context) => {
      const sent = devices.test(context.get('identity').device_id, testNotice(id('notice'), clock.now()));
      const notice = await withinTime(sent, clock);
      if (notice !== undefined) return context.json({ notice });
      const { subscribed } = await devices.view(context.get('identity').device_id);
      if (!subscribed) return refuse(context, 'not_found', NOT_SUBSCRIBED);
      return refuse(
        context,
        'unavailable',
        'The push service does not answer. GET /api/push/log tells more.',
      );
    })
    .get('/log', async (context) =>
      context.json({ notices: await devices.rows(context.get('identity').device_id) }),
    );
}

export const noStore = async (
  context: { readonly header: (name: string, value: string) => void },
  next: () => Promise<void>,
): Promise<void> => {
  context.header('cache-control', 'no-store');
  await next();
};

/** An empty object when the body is not a JSON object: the missing fields are then reported. */
export async function fieldsOf(request: HonoRequest): Promise<Readonly<Record<string, unknown>>> {
  const read = readJson(await request.text(), BODY_CHARS);
  return read.ok && isObject(read.value) ? read.value : {};
}

export const testNotice = (notice_id: string, at: number): Notice => ({
  ...{ notice_id, kind: 'test', tag: tagOf('test'), session_id: null, who: 'Drawbridge', at },
  ...{ title: 'Drawbridge reaches you here', body: 'This is what you asked for: a test.' },
});

/** Undefined on timeout. */
export function withinTime(
  sent: Promise<NoticeRow | undefined>,
  clock: CoreClock,
): Promise<NoticeRow | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(TEST_MS, () => resolve(undefined));
    sent.then(resolve, reject).finally(cancel);
  });
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 512;

const VISIBLE_SHAPE =
  'Send {"session_id": ID}, or null when no session is to be seen; "screen_id" tells the screens of a device apart.';
const NOT_SUBSCRIBED = 'This device has no subscription. PUT /api/push/subscription first.';
