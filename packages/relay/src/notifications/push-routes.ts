import { PUSH } from '@drawbridge/protocol/http';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Hono, HonoRequest } from 'hono';
import type { CoreClock } from '../core/ports.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveRoutes } from '../server/serve-routes.ts';
import { type Notice, type NoticeLanguage, type NoticeRow, tagOf } from './notice.ts';
import type { Outbound } from './outbound.ts';
import type { PushDevices } from './push-devices.ts';
import { parseSubscription } from './push-subscription.ts';
import { parsePreferences } from './quiet-hours.ts';
import type { Screens } from './screens.ts';
import { noticeLanguage, WORDS } from './words.ts';

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

/** Every route is about the device that asks. */
export function pushRoutes(options: PushRoutesOptions): Hono<RelayEnv> {
  const { credentials, clock, id, public_key, devices, screens, outbound } = options;
  return serveRoutes(PUSH, credentials, {
    'GET /api/push/key': () => ({ public_key }),
    'GET /api/push/settings': ({ identity }) => devices.view(identity.device_id),
    async 'PUT /api/push/settings'({ context, identity: { device_id }, refuse }) {
      const preferences = parsePreferences(await fieldsOf(context.req));
      if (typeof preferences === 'string') return refuse('invalid_request', preferences);
      await devices.prefer(device_id, preferences);
      return devices.view(device_id);
    },
    async 'PUT /api/push/subscription'({ context, identity: { device_id }, refuse }) {
      const { language, ...given } = await fieldsOf(context.req);
      const subscription = parseSubscription(given);
      if (typeof subscription === 'string') return refuse('invalid_request', subscription);
      const problem = outbound.problemOf(subscription.endpoint);
      if (problem !== undefined) return refuse('invalid_request', `"endpoint": ${problem}`);
      await devices.subscribe(device_id, subscription, noticeLanguage(language));
      return devices.view(device_id);
    },
    async 'DELETE /api/push/subscription'({ identity }) {
      await devices.unsubscribe(identity.device_id);
      return undefined;
    },
    async 'PUT /api/push/visible'({ context, identity, refuse }) {
      const { session_id, screen_id = '' } = await fieldsOf(context.req);
      const isSession = session_id === null || isName(session_id);
      if (!isSession || (screen_id !== '' && !isName(screen_id))) {
        return refuse('invalid_request', VISIBLE_SHAPE);
      }
      screens.show(identity.device_id, screen_id, session_id);
      return undefined;
    },
    async 'POST /api/push/test'({ identity: { device_id }, refuse }) {
      const { subscribed, language } = await devices.view(device_id);
      const sent = devices.test(device_id, testNotice(id('notice'), clock.now(), language));
      const notice = await withinTime(sent, clock);
      if (notice !== undefined) return { notice };
      if (!subscribed) return refuse('not_found', NOT_SUBSCRIBED);
      return refuse('unavailable', 'The push service does not answer. GET /api/push/log tells more.');
    },
    'GET /api/push/log': async ({ identity }) => ({ notices: await devices.rows(identity.device_id) }),
  });
}

/** An empty object when the body is not a JSON object: the missing fields are then reported. */
export async function fieldsOf(request: HonoRequest): Promise<Readonly<Record<string, unknown>>> {
  const read = readJson(await request.text(), BODY_CHARS);
  return read.ok && isObject(read.value) ? read.value : {};
}

export const testNotice = (notice_id: string, at: number, language: NoticeLanguage = 'en'): Notice => ({
  ...{ notice_id, kind: 'test', tag: tagOf('test'), session_id: null, who: 'Drawbridge', at },
  ...{ title: WORDS[language].push.testTitle, body: WORDS[language].push.testBody },
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
