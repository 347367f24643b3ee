import type { JsonObject } from './json-schema.ts';
import { list, object, operations, text, texts } from './openapi-operation.ts';
import { BROWSER_KEY, pathParameter, queryParameter, refusals } from './openapi-parts.ts';

const whole = { type: 'integer', minimum: 1 } as const;
const anything = { type: 'object' } as const;
const events = (description: string): JsonObject => ({
  200: { description, content: { 'text/event-stream': { schema: text } } },
  ...refusals(401, 403, 404),
});

const passkey = operations('devices');
const CEREMONY = {
  ...anything,
  description: 'The options for `navigator.credentials`, and the `attempt` to name.',
};
const ANSWER = object({ attempt: text, credential: anything, label: text }, ['attempt', 'credential']);
const SIGN_IN = object({ attempt: text, credential: anything, label: text, key: BROWSER_KEY }, [
  ...['attempt', 'credential', 'key'],
]);

/** The owner's passkeys. */
export const PASSKEY_PATHS: JsonObject = {
  '/api/passkeys': {
    get: passkey('listPasskeys', 'The passkeys that an owner can sign in with.', { gives: list('passkeys') }),
    post: passkey('addPasskey', 'Store a passkey that a browser has created.', {
      ...{ body: ANSWER, gives: anything, status: 201, refuses: [400, 404, 409, 429] },
    }),
  },
  '/api/passkeys/options': {
    post: passkey('offerPasskey', 'Start creating a passkey.', {
      gives: CEREMONY,
      status: 201,
      refuses: [400],
    }),
  },
  '/api/passkeys/{id}': {
    delete: passkey('removePasskey', 'Delete the passkey.', {
      ...{ parameters: [pathParameter('id', 'The passkey.')], refuses: [404] },
    }),
  },
  '/api/passkeys/signin/options': {
    post: passkey('offerSignIn', 'Start signing in with a passkey.', {
      ...{ open: true, gives: CEREMONY, status: 201, refuses: [400, 403, 429] },
    }),
  },
  '/api/passkeys/signin': {
    post: passkey('signIn', 'Sign in with a passkey, as a new device.', {
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

/** Browser requests that give access and wait for a passkey, another owner's device or the terminal. */
export const CONFIRMATION_PATHS: JsonObject = {
  '/api/confirmations': {
    get: passkey('listConfirmations', 'The browser requests that wait for an owner.', {
      gives: object({ confirmations: { type: 'array', items: CONFIRMATION } }, ['confirmations']),
    }),
  },
  '/api/confirmations/{id}': {
    get: passkey('getConfirmation', "The state of the caller's request.", {
      parameters: [
        ...CONFIRMATION_ID,
        queryParameter('wait', 'Wait at most this many seconds for a change.'),
      ],
      gives: object({ state: { enum: ['waiting', 'confirmed', 'refused'] } }, ['state']),
      refuses: [404],
    }),
    post: passkey('answerConfirmation', "Confirm or refuse another device's request, as an owner.", {
      ...{ parameters: CONFIRMATION_ID, refuses: [400, 404] },
      body: object({ verdict: { enum: ['confirm', 'refuse'] } }, ['verdict']),
    }),
  },
  '/api/confirmations/{id}/passkey/options': {
    post: passkey('offerConfirmation', "Start confirming the caller's request with a passkey.", {
      ...{ parameters: CONFIRMATION_ID, gives: CEREMONY, status: 201, refuses: [400, 404, 409, 429] },
    }),
  },
  '/api/confirmations/{id}/passkey': {
    post: passkey('confirmWithPasskey', "Confirm the caller's request with a passkey.", {
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
  description: 'The subscription, and which notifications the device wants and when.',
};
const WEBHOOK_ID = [pathParameter('id', 'The webhook.')];

/** Notifications by push and webhook. */
export const NOTICE_PATHS: JsonObject = {
  '/api/push/key': {
    get: notice('pushKey', 'The public key that a browser subscribes with.', {
      gives: object({ public_key: text }, ['public_key']),
    }),
  },
  '/api/push/settings': {
    get: notice('pushSettings', 'Which notifications the device gets, and when.', { gives: PREFERENCES }),
    put: notice('changePushSettings', 'Choose which notifications the device gets, and its quiet hours.', {
      ...{ body: anything, gives: PREFERENCES, refuses: [400] },
    }),
  },
  '/api/push/subscription': {
    put: notice('subscribe', 'Send the device notifications by Web Push from now on.', {
      body: object({ endpoint: text, keys: object({ p256dh: text, auth: text }, ['p256dh', 'auth']) }, [
        ...['endpoint', 'keys'],
      ]),
      ...{ gives: PREFERENCES, refuses: [400] },
    }),
    delete: notice('unsubscribe', 'Stop sending the device notifications.'),
  },
  '/api/push/visible': {
    put: notice(
      'showSession',
      "Which session is on the device's screen: it gets no notifications for that one.",
      {
        ...{
          body: object({ session_id: { type: ['string', 'null'] }, screen_id: text }, ['session_id']),
          refuses: [400],
        },
      },
    ),
  },
  '/api/push/test': {
    post: notice('testPush', 'Send the device a test notification.', { gives: NOTICE, refuses: [404, 503] }),
  },
  '/api/push/log': {
    get: notice('pushLog', "The device's recent notifications and their outcomes.", {
      gives: list('notices'),
    }),
  },
  '/api/webhooks': {
    get: notice('listWebhooks', 'The webhooks, without their secrets.', {
      gives: list('webhooks'),
    }),
    post: notice('addWebhook', 'Add a webhook; a secret that the relay creates is shown only once.', {
      body: object({ url: text, secret: text, kinds: texts }, ['url', 'kinds']),
      ...{
        gives: object({ webhook: anything, secret: text }, ['webhook']),
        status: 201,
        refuses: [400, 507],
      },
    }),
  },
  '/api/webhooks/{id}': {
    delete: notice('removeWebhook', 'Remove the webhook.', { parameters: WEBHOOK_ID, refuses: [404] }),
  },
  '/api/webhooks/{id}/log': {
    get: notice('webhookLog', "The webhook's recent notifications and their outcomes.", {
      ...{ parameters: WEBHOOK_ID, gives: list('notices'), refuses: [404] },
    }),
  },
  '/api/webhooks/{id}/test': {
    post: notice('testWebhook', 'Send the webhook a test notification.', {
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

/** Watching tabs, and their maps. */
export const TAB_PATHS: JsonObject = {
  '/api/runtimes/{runtime_id}/view': {
    get: {
      ...tab('watchRuntime', "The tab's live view.", { parameters: RUNTIME_ID }),
      responses: events('Pictures and actions, as server-sent events.'),
    },
  },
  '/api/runtimes/{runtime_id}/takeover': toTask(
    'takeOverRuntime',
    "Pause the tab's task while a person works.",
  ),
  '/api/runtimes/{runtime_id}/handback': toTask('handBackRuntime', "Resume the tab's task."),
  '/api/runtimes/{runtime_id}/check': {
    post: tab('checkMap', "Whether the tab's map still fits the page.", {
      ...{ parameters: RUNTIME_ID, gives: anything, refuses: [404] },
    }),
  },
  '/api/prompts/{prompt_id}/picture': {
    get: tab('pictureOfPrompt', 'The page that an open question of a browser is about, as it looks now.', {
      parameters: [pathParameter('prompt_id', 'The prompt.')],
      ...{
        gives: object({ image: text, mime_type: text, width: whole, height: whole, box: anything }, [
          'image',
        ]),
        refuses: [404],
      },
    }),
  },
  '/api/maps': {
    get: tab('listMaps', 'The maps of the lent tabs, and their last checks.', {
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
