import type { JsonObject } from './json-schema.ts';
import { list, object, operations, text, texts } from './openapi-operation.ts';
import { BROWSER_KEY, pathParameter, queryParameter, refusals } from './openapi-parts.ts';

const whole = { type: 'integer', minimum: 1 } as const;
const anything = { type: 'object' } as const;
const events = (description: string): JsonObject => ({
  200: { description, content: { 'text/event-stream': { schema: text } } },
  ...refusals(401, 403, 404),
});

const house = operations('house');
const SETTINGS = object({ retention_days: { type: ['integer', 'null'], minimum: 1 } }, ['retention_days']);

/** What holds for all of the relay. */
export const SERVER_PATHS: JsonObject = {
  '/api/settings': {
    get: house('settings', 'What holds for all of the relay.', { gives: SETTINGS }),
    put: house('changeSettings', 'After how many days what was said goes; null keeps it.', {
      ...{ body: SETTINGS, gives: SETTINGS, refuses: [400] },
    }),
  },
  '/api/audit': {
    get: house('audit', 'Who did what, the newest first.', {
      parameters: [
        queryParameter('before', 'Only entries before this number.', { schema: whole }),
        queryParameter('limit', '100 unless given, 1,000 at the most.', { schema: whole }),
        queryParameter('from', 'Not earlier than this time, in milliseconds.', { schema: whole }),
        queryParameter('until', 'Not later than this time, in milliseconds.', { schema: whole }),
        queryParameter('device', 'Of this device.'),
        queryParameter('action', 'Of this kind.'),
        queryParameter('subject', 'About this.'),
      ],
      ...{ gives: list('audit'), refuses: [400] },
    }),
  },
};

const passkey = operations('devices');
const CEREMONY = {
  ...anything,
  description: 'What `navigator.credentials` takes, and the `attempt` to name.',
};
const ANSWER = object({ attempt: text, credential: anything, label: text }, ['attempt', 'credential']);
const SIGN_IN = object({ attempt: text, credential: anything, label: text, key: BROWSER_KEY }, [
  ...['attempt', 'credential', 'key'],
]);

/** Passkeys of the owner. */
export const PASSKEY_PATHS: JsonObject = {
  '/api/passkeys': {
    get: passkey('listPasskeys', 'The passkeys that let an owner in.', { gives: list('passkeys') }),
    post: passkey('addPasskey', 'Keep a passkey that a browser has made.', {
      ...{ body: ANSWER, gives: anything, status: 201, refuses: [400, 404, 409, 429] },
    }),
  },
  '/api/passkeys/options': {
    post: passkey('offerPasskey', 'Begin to make a passkey.', {
      gives: CEREMONY,
      status: 201,
      refuses: [400],
    }),
  },
  '/api/passkeys/{id}': {
    delete: passkey('removePasskey', 'Let it in no more.', {
      ...{ parameters: [pathParameter('id', 'The passkey.')], refuses: [404] },
    }),
  },
  '/api/passkeys/signin/options': {
    post: passkey('offerSignIn', 'Begin to sign in with a passkey.', {
      ...{ open: true, gives: CEREMONY, status: 201, refuses: [400, 403, 429] },
    }),
  },
  '/api/passkeys/signin': {
    post: passkey('signIn', 'Come in with a passkey, as a new device.', {
      ...{ open: true, body: SIGN_IN, gives: anything, refuses: [400, 403, 404, 429] },
    }),
  },
};

const CONFIRMATION_ID = [pathParameter('id', 'The confirmation.')];
const CONFIRMATION = object(
  {
    ...{ id: text, device_id: text, device_label: text, label: text, expires_at: { type: 'integer' } },
    act: { enum: ['invite', 'mint', 'approve', 'add_passkey', 'remove_passkey', 'add_task_client'] },
    roles: { type: 'array', items: text },
  },
  ['id', 'device_id', 'act', 'label', 'roles', 'expires_at'],
);

/** Requests of browsers that give access, and wait for a passkey, another owner's device or the terminal. */
export const CONFIRMATION_PATHS: JsonObject = {
  '/api/confirmations': {
    get: passkey('listConfirmations', 'Requests of browsers that wait for an owner.', {
      gives: object({ confirmations: { type: 'array', items: CONFIRMATION } }, ['confirmations']),
    }),
  },
  '/api/confirmations/{id}': {
    get: passkey('getConfirmation', 'How the own request stands.', {
      parameters: [
        ...CONFIRMATION_ID,
        queryParameter('wait', 'So many seconds at the most, until there is something to say.'),
      ],
      gives: object({ state: { enum: ['waiting', 'confirmed', 'refused'] } }, ['state']),
      refuses: [404],
    }),
    post: passkey('answerConfirmation', "Confirm or refuse the request of another device, as an owner's.", {
      ...{ parameters: CONFIRMATION_ID, refuses: [400, 404] },
      body: object({ verdict: { enum: ['confirm', 'refuse'] } }, ['verdict']),
    }),
  },
  '/api/confirmations/{id}/passkey/options': {
    post: passkey('offerConfirmation', 'Begin to confirm the own request with a passkey.', {
      ...{ parameters: CONFIRMATION_ID, gives: CEREMONY, status: 201, refuses: [400, 404, 409, 429] },
    }),
  },
  '/api/confirmations/{id}/passkey': {
    post: passkey('confirmWithPasskey', 'Confirm the own request with a passkey.', {
      parameters: CONFIRMATION_ID,
      body: object({ attempt: text, credential: anything }, ['attempt', 'credential']),
      refuses: [400, 404, 429],
    }),
  },
};

const notice = operations('notices');
const NOTICE = object({ notice: anything }, ['notice']);
const PREFERENCES = {
  ...anything,
  description: 'The subscription, and what the device wants to be told and when.',
};
const WEBHOOK_ID = [pathParameter('id', 'The webhook.')];

/** How people are told what waits for them. */
export const NOTICE_PATHS: JsonObject = {
  '/api/push/key': {
    get: notice('pushKey', 'The public key that a browser subscribes with.', {
      gives: object({ public_key: text }, ['public_key']),
    }),
  },
  '/api/push/settings': {
    get: notice('pushSettings', 'What the device that asks is told, and when.', { gives: PREFERENCES }),
    put: notice('changePushSettings', 'Choose what it is told, and when it is quiet.', {
      ...{ body: anything, gives: PREFERENCES, refuses: [400] },
    }),
  },
  '/api/push/subscription': {
    put: notice('subscribe', 'Tell the device by Web Push from now on.', {
      body: object({ endpoint: text, keys: object({ p256dh: text, auth: text }, ['p256dh', 'auth']) }, [
        ...['endpoint', 'keys'],
      ]),
      ...{ gives: PREFERENCES, refuses: [400] },
    }),
    delete: notice('unsubscribe', 'Tell it no more.'),
  },
  '/api/push/visible': {
    put: notice('showSession', 'Which session the device has on its screen: of that it is not told.', {
      ...{
        body: object({ session_id: { type: ['string', 'null'] }, screen_id: text }, ['session_id']),
        refuses: [400],
      },
    }),
  },
  '/api/push/test': {
    post: notice('testPush', 'Send it a test.', { gives: NOTICE, refuses: [404, 503] }),
  },
  '/api/push/log': {
    get: notice('pushLog', 'What the device was told lately, and what became of it.', {
      gives: list('notices'),
    }),
  },
  '/api/webhooks': {
    get: notice('listWebhooks', 'The addresses that are told; never their secrets.', {
      gives: list('webhooks'),
    }),
    post: notice('addWebhook', 'Tell an address; a secret that the relay makes is shown this once.', {
      body: object({ url: text, secret: text, kinds: texts }, ['url', 'kinds']),
      ...{
        gives: object({ webhook: anything, secret: text }, ['webhook']),
        status: 201,
        refuses: [400, 507],
      },
    }),
  },
  '/api/webhooks/{id}': {
    delete: notice('removeWebhook', 'Tell it no more.', { parameters: WEBHOOK_ID, refuses: [404] }),
  },
  '/api/webhooks/{id}/log': {
    get: notice('webhookLog', 'What it was told lately, and what became of it.', {
      ...{ parameters: WEBHOOK_ID, gives: list('notices'), refuses: [404] },
    }),
  },
  '/api/webhooks/{id}/test': {
    post: notice('testWebhook', 'Send it a test.', {
      parameters: WEBHOOK_ID,
      gives: NOTICE,
      refuses: [404, 503],
    }),
  },
};

const tab = operations('runtimes');
const RUNTIME_ID = [pathParameter('runtime_id', 'The runtime.')];
const toTask = (operationId: string, summary: string): JsonObject => ({
  post: {
    ...tab(operationId, summary, { parameters: RUNTIME_ID }),
    responses: { 307: { description: "To the task's own address." }, ...refusals(401, 403, 404) },
  },
});

/** Tabs: what is to be seen in them, and their maps. */
export const TAB_PATHS: JsonObject = {
  '/api/runtimes/{runtime_id}/view': {
    get: {
      ...tab('watchRuntime', 'What is to be seen in it, as it changes.', { parameters: RUNTIME_ID }),
      responses: events('Pictures and what was done, as server-sent events.'),
    },
  },
  '/api/runtimes/{runtime_id}/takeover': toTask(
    'takeOverRuntime',
    'Hold the task there while a person works.',
  ),
  '/api/runtimes/{runtime_id}/handback': toTask('handBackRuntime', 'Let the task there go on.'),
  '/api/runtimes/{runtime_id}/check': {
    post: tab('checkMap', 'Whether its map still fits the page.', {
      ...{ parameters: RUNTIME_ID, gives: anything, refuses: [404] },
    }),
  },
  '/api/maps': {
    get: tab('listMaps', 'The maps of the tabs that are lent, and their last checks.', {
      gives: object({
        maps: { type: 'array', items: anything },
        runtimes: { type: 'array', items: anything },
      }),
    }),
  },
  '/api/maps/for': {
    get: tab('mapFor', 'The map of a page, for a browser that has no folder of maps.', {
      parameters: [queryParameter('url', 'The address of the page.', { required: true })],
      ...{
        gives: object({ map: anything, trust: text, tool_trust: anything, address: text }, ['map', 'trust']),
        refuses: [400, 404],
      },
    }),
  },
};
