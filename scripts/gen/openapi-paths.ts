import { type JsonObject, reference } from './json-schema.ts';
import { answer, body, failures, pathParameter, queryParameter, refusals } from './openapi-parts.ts';

const SESSION_ID = pathParameter('sessionId', 'The session.');
const TASK_ID = pathParameter('taskId', 'The task.');
const ANY = { type: 'object' };

/** Requests of an extension to the server that decides for it. */
export const INTERACT_PATHS: JsonObject = {
  '/api/agent/interact': {
    post: {
      operationId: 'interact',
      tags: ['interact'],
      summary: 'Show the page, get the next action.',
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'A call repeated with the same key gets the stored answer and adds no step.',
          schema: { type: 'string' },
        },
      ],
      requestBody: body(reference('InteractRequest')),
      responses: {
        200: answer(
          'The next step, or what the server needs before it can decide.',
          reference('InteractResponse'),
        ),
        ...failures(400, 401, 404, 409, 413),
      },
    },
  },
  '/api/session/latest': {
    get: {
      operationId: 'latestSession',
      tags: ['interact'],
      summary: 'The session with the latest call or message.',
      responses: { 200: answer('That session.', reference('TabSession')), ...failures(401, 404) },
    },
  },
  '/api/session/by-domain/{domain}': {
    get: {
      operationId: 'sessionByDomain',
      tags: ['interact'],
      summary: 'The most recent session of a domain.',
      parameters: [pathParameter('domain', 'A root domain, such as `shop.co.uk`.')],
      responses: { 200: answer('That session, or `null`.', reference('SessionFound')), ...failures(401) },
    },
  },
  '/api/session/{sessionId}/messages': {
    get: {
      operationId: 'sessionMessages',
      tags: ['interact'],
      summary: 'The messages of a session in their order.',
      parameters: [
        SESSION_ID,
        queryParameter('limit', 'The newest messages only, 1 to 200.', { schema: { type: 'integer' } }),
        queryParameter('since', 'Messages from this ISO 8601 time on.'),
      ],
      responses: {
        200: answer(
          'The messages; none, with `sessionExists: false`, when there is no such session.',
          reference('SessionMessages'),
        ),
        ...failures(401),
      },
    },
  },
  '/api/session': {
    get: {
      operationId: 'listSessions',
      tags: ['interact'],
      summary: "The device's sessions, the one used last first.",
      parameters: [
        queryParameter('status', '`active` or `archived`.'),
        queryParameter('includeArchived', '`true` lists archived ones too.'),
        queryParameter('limit', 'At most this many, up to 200.', { schema: { type: 'integer' } }),
        queryParameter('offset', 'Skips this many.', { schema: { type: 'integer' } }),
      ],
      responses: { 200: answer('The sessions and their pagination.', ANY), ...failures(400, 401) },
    },
    post: {
      operationId: 'archiveSession',
      tags: ['interact'],
      summary: 'Archive a session.',
      requestBody: body(ANY),
      responses: { 200: answer('The session is archived.', ANY), ...failures(400, 401, 404) },
    },
  },
  '/api/session/init': {
    post: {
      operationId: 'initSession',
      tags: ['interact'],
      summary: 'Create a session with the given id, so that its pushes can be subscribed to.',
      requestBody: body(ANY),
      responses: {
        200: answer('Whether the session was created by this call.', ANY),
        ...failures(400, 401, 403, 409),
      },
    },
  },
  '/api/session/{sessionId}/task/{taskId}/resume': {
    post: {
      operationId: 'resumeTask',
      tags: ['interact'],
      summary: 'Go on with a task that waits for a person.',
      parameters: [SESSION_ID, TASK_ID],
      requestBody: body(ANY),
      responses: { 200: answer('The task goes on.', ANY), ...failures(400, 401, 404) },
    },
  },
  '/api/session/{sessionId}/task/{taskId}/report': {
    get: {
      operationId: 'taskReport',
      tags: ['interact'],
      summary: 'The actions of a task and its end, as a file.',
      parameters: [SESSION_ID, TASK_ID, queryParameter('format', '`json`, `csv` or `markdown`.')],
      responses: { 200: answer('The report.', ANY), ...failures(400, 401, 404) },
    },
  },
  '/api/v1/auth/login': {
    post: {
      operationId: 'signIn',
      tags: ['interact'],
      summary: 'Sign a client in with the one-use code of a pairing link as its password.',
      security: [],
      requestBody: body(ANY),
      responses: { 200: answer('The access token.', ANY), ...refusals(400, 401, 403, 429) },
    },
  },
  '/api/v1/auth/session': {
    get: {
      operationId: 'signedInUser',
      tags: ['interact'],
      summary: 'The signed-in device, as a user.',
      responses: { 200: answer('The user.', ANY), ...failures(401) },
    },
  },
  '/api/v1/auth/logout': {
    post: {
      operationId: 'signOutClient',
      tags: ['interact'],
      summary: 'Revoke the token.',
      responses: { 204: { description: 'Signed out.' }, ...failures(401) },
    },
  },
  '/api/v1/user/preferences': {
    get: {
      operationId: 'preferences',
      tags: ['interact'],
      summary: "The client's theme.",
      responses: { 200: answer('The preferences.', ANY), ...failures(401) },
    },
    post: {
      operationId: 'setPreferences',
      tags: ['interact'],
      summary: "Set the client's theme.",
      requestBody: body(ANY),
      responses: { 200: answer('The preferences.', ANY), ...failures(400, 401) },
    },
  },
  '/api/knowledge/resolve': {
    get: {
      operationId: 'resolveKnowledge',
      tags: ['interact'],
      summary: 'Documents about a site. The relay stores none.',
      parameters: [queryParameter('url', 'A host name.')],
      responses: { 200: answer('An empty list.', ANY), ...failures(401) },
    },
  },
  '/api/knowledge/upload-to-s3': {
    post: {
      operationId: 'uploadTaskFile',
      tags: ['interact'],
      summary: 'A text file for a task, as a form with the field `file`.',
      requestBody: { required: true, content: { 'multipart/form-data': { schema: ANY } } },
      responses: { 200: answer('The `s3Key` for `attachment`.', ANY), ...failures(400, 401, 413) },
    },
  },
  '/api/session/{sessionId}': {
    patch: {
      operationId: 'renameSession',
      tags: ['interact'],
      summary: 'Give a session another title.',
      parameters: [SESSION_ID],
      requestBody: body(reference('SessionRename')),
      responses: { 200: answer('The changed session.', reference('TabSession')), ...failures(400, 401, 404) },
    },
  },
};

const SIDE = pathParameter(
  'side',
  'Role of the peer that polls: a runtime, or an agent that calls runtimes.',
  {
    enum: ['runtime', 'agent'],
  },
);

const CONNECTION = 'The connection, as the first POST named it; valid only with the same credential.';

/** The bridge for peers that cannot keep a WebSocket open. */
export const BRIDGE_PATHS: JsonObject = {
  '/bridge/{side}/items': {
    parameters: [SIDE],
    post: {
      operationId: 'sendBridgeItem',
      tags: ['bridge'],
      summary: 'Send an item.',
      parameters: [queryParameter('connection_id', `${CONNECTION} Absent in the first POST.`)],
      requestBody: body(reference('BridgeItem')),
      responses: {
        200: answer('The item was accepted.', {
          type: 'object',
          required: ['connection_id'],
          properties: { connection_id: { type: 'string' } },
        }),
        ...failures(400, 401, 403, 413),
      },
    },
    get: {
      operationId: 'receiveBridgeItems',
      tags: ['bridge'],
      summary: 'Get the items after a number.',
      description:
        'Each item is a `BridgeItem` and has a number. Asking again with the same `after` gives the same items.',
      parameters: [
        queryParameter('connection_id', CONNECTION, { required: true }),
        queryParameter('after', "The last item's number; absent, from the first one on.", {
          schema: { type: 'integer', minimum: 0 },
        }),
      ],
      responses: {
        200: { description: 'The items in order.', content: { 'application/json': {} } },
        ...failures(400, 401, 403),
      },
    },
  },
};

const SIGNATURE = [
  queryParameter('auth_key', 'The key of the app.', { required: true }),
  queryParameter('auth_timestamp', 'Seconds since 1970, within 600 s of now.', { required: true }),
  queryParameter('auth_version', 'The version of the signature.', {
    required: true,
    schema: { const: '1.0' },
  }),
  queryParameter('body_md5', 'The hex MD5 of the body.', { required: true }),
];

const publish = (operationId: string, summary: string, schema: string): JsonObject => ({
  operationId,
  tags: ['pusher'],
  summary,
  security: [{ pusherSignature: [] }],
  parameters: [pathParameter('appId', 'The app.'), ...SIGNATURE],
  requestBody: body(reference(schema)),
  responses: { 200: answer('The event was delivered.', { type: 'object' }), ...refusals(400, 401, 413) },
});

const CHANNEL = pathParameter('channel', 'The channel.');

const ask = (
  operationId: string,
  summary: string,
  named: readonly JsonObject[],
  { parameters = [] }: { readonly parameters?: readonly JsonObject[] } = {},
): JsonObject => ({
  ...{ operationId, tags: ['pusher'], summary, security: [{ pusherSignature: [] }] },
  parameters: [pathParameter('appId', 'The app.'), ...named, ...parameters, ...SIGNATURE],
  responses: { 200: answer('Done.', { type: 'object' }), ...refusals(400, 401) },
});

/** The HTTP side of Pusher Channels, for unmodified libraries. */
export const PUSHER_PATHS: JsonObject = {
  '/apps/{appId}/events': {
    post: publish('triggerEvent', 'Publish one event on one or more channels.', 'PusherTrigger'),
  },
  '/apps/{appId}/batch_events': {
    post: publish('triggerBatch', 'Publish several events in one call.', 'PusherBatch'),
  },
  '/apps/{appId}/channels': {
    get: ask('listChannels', 'The channels that have subscribers.', [], {
      parameters: [
        queryParameter('filter_by_prefix', 'Only channels whose names start with this.'),
        queryParameter('info', '`user_count` or `subscription_count`.'),
      ],
    }),
  },
  '/apps/{appId}/channels/{channel}': {
    get: ask('getChannel', 'Whether the channel has subscribers.', [CHANNEL]),
  },
  '/apps/{appId}/channels/{channel}/users': {
    get: ask('listChannelUsers', 'The members of a presence channel.', [CHANNEL]),
  },
  '/apps/{appId}/users/{user}/terminate_connections': {
    post: ask('endUser', 'End every connection of a user.', [pathParameter('user', 'The user.')]),
  },
  '/api/pusher/config': {
    get: {
      ...{ operationId: 'pusherConfig', tags: ['pusher'] },
      summary: 'The settings that a Pusher library needs to connect; for owners, also the secret of the app.',
      responses: { 200: answer('The settings.', { type: 'object' }), ...refusals(401, 403) },
    },
  },
  '/api/pusher/auth': {
    post: {
      operationId: 'authorizeChannel',
      tags: ['pusher'],
      summary: 'Get the signature that joins a private or presence channel.',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['socket_id', 'channel_name'],
              properties: { socket_id: { type: 'string' }, channel_name: { type: 'string' } },
            },
          },
        },
      },
      responses: {
        200: answer('The data for `pusher:subscribe`.', {
          type: 'object',
          required: ['auth'],
          properties: {
            auth: { type: 'string', description: '`key:` and a hex HMAC-SHA256.' },
            channel_data: { type: 'string', description: 'JSON in a string; presence channels only.' },
            shared_secret: { type: 'string', description: 'Encrypted channels only.' },
          },
        }),
        ...refusals(400, 401, 403),
      },
    },
  },
};

const probe = (operationId: string, summary: string, responses: JsonObject): JsonObject => ({
  get: { operationId, tags: ['health'], summary, security: [], responses },
});

const PARTS: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['part', 'message'],
    properties: {
      part: { enum: ['relay', 'ledger', 'disk', 'lease', 'leader', 'bus'] },
      message: { type: 'string' },
    },
  },
};
const READINESS: JsonObject = {
  type: 'object',
  required: ['degraded'],
  properties: { problems: PARTS, degraded: PARTS },
};

export const HEALTH_PATHS: JsonObject = {
  '/livez': probe('isAlive', 'Is the relay alive?', { 200: { description: 'Yes.' } }),
  '/healthz': probe('isAliveFormerly', 'The former name of /livez.', { 200: { description: 'Yes.' } }),
  '/readyz': probe('isReady', 'Does the relay take work now?', {
    200: answer('Yes; parts that fail nevertheless are in `degraded`.', READINESS),
    503: answer('No: `error.message` and `problems` say why.', READINESS),
  }),
  '/metrics': probe('metrics', 'Metrics, for Prometheus.', {
    200: { description: 'The figures.', content: { 'text/plain': { schema: { type: 'string' } } } },
    ...refusals(401, 403),
  }),
  '/openapi.json': probe('openApi', 'This document.', { 200: answer('It.', { type: 'object' }) }),
  '/asyncapi.json': probe('asyncApi', 'The same for the sockets.', {
    200: answer('It.', { type: 'object' }),
  }),
};
