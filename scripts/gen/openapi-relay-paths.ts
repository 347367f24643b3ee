import { type JsonObject, reference } from './json-schema.ts';
import { list, object, operations, text, texts } from './openapi-operation.ts';
import { BROWSER_KEY, pathParameter, queryParameter, refusals } from './openapi-parts.ts';

const task = operations('tasks');
const TASK = reference('Task');
const TASK_ID = [pathParameter('task_id', 'The task.')];
const control = (operationId: string, summary: string): JsonObject => ({
  post: task(operationId, summary, { parameters: TASK_ID, gives: TASK, refuses: [404, 409] }),
});

/** Endpoints of browser tasks. */
export const TASK_PATHS: JsonObject = {
  '/api/tasks': {
    post: task('orderTask', 'Start a browser task.', {
      parameters: [
        {
          ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: text },
          description: 'The same request with the same key is accepted once.',
        },
      ],
      ...{ body: reference('TaskOrder'), gives: TASK, status: 202, refuses: [400, 409, 503] },
    }),
    get: task('listTasks', 'The latest tasks, newest first: all for people, its own for an agent.', {
      parameters: [
        queryParameter('before', 'Only tasks created before this one.'),
        queryParameter('limit', '50 unless given, 500 at the most.', {
          schema: { type: 'integer', minimum: 1 },
        }),
      ],
      gives: object({ tasks: { type: 'array', items: TASK } }, ['tasks']),
      refuses: [400],
    }),
  },
  '/api/tasks/{task_id}': {
    get: task('getTask', 'The state of a task.', { parameters: TASK_ID, gives: TASK, refuses: [404] }),
    delete: task('cancelTask', 'Cancel the task now.', {
      parameters: TASK_ID,
      gives: TASK,
      refuses: [404, 409],
    }),
  },
  '/api/tasks/{task_id}/events': {
    get: {
      ...task('followTask', "The task's live events, until it ends.", { parameters: TASK_ID }),
      description:
        'Server-sent events, each with the number of its line as `id`: `message`, `plan`, `step`, `task_result`; without one, `thought` while a model thinks, `state` when it changed and `end` with the task as it ended.',
      parameters: [
        ...TASK_ID,
        {
          ...{ name: 'Last-Event-ID', in: 'header', required: false, schema: text },
          description: 'The last event received; `?after=` does the same.',
        },
      ],
      responses: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: text } } },
        ...refusals(400, 401, 403, 404),
      },
    },
  },
  '/api/tasks/{task_id}/trace': {
    get: task('taskTrace', "The task's steps, to be run again without a model.", {
      ...{ parameters: TASK_ID, gives: { type: 'object' }, refuses: [404] },
    }),
  },
  '/api/tasks/{task_id}/answer': {
    post: task('answerTask', "Answer the task's question, or steer it.", {
      ...{ parameters: TASK_ID, body: object({ answer: text }, ['answer']) },
      ...{ gives: TASK, refuses: [400, 404, 409] },
    }),
  },
  '/api/tasks/{task_id}/pause': control('pauseTask', 'Pause the task before its next look or action.'),
  '/api/tasks/{task_id}/resume': control('resumeTask', 'Resume the task.'),
  '/api/tasks/{task_id}/takeover': control(
    'takeOverTask',
    'Pause the task while a person works in the page.',
  ),
  '/api/tasks/{task_id}/handback': control('handBackTask', 'Look at the page again and resume the task.'),
  '/api/tasks/{task_id}/retry': {
    post: task('retryTask', 'Run the task again, as a new one.', {
      ...{ parameters: TASK_ID, gives: TASK, status: 202, refuses: [404, 409, 503] },
    }),
  },
  '/api/task-clients': {
    post: task('addTaskClient', 'The address for a new extension of the task protocol, shown only once.', {
      ...{ body: object({ label: text }), status: 201, refuses: [400] },
      gives: object({ device_id: text, path: text }, ['device_id', 'path']),
    }),
  },
};

const device = operations('devices');
const DEVICE_ID = [pathParameter('device_id', 'The device.')];
const ROLES = { type: 'array', items: { enum: ['owner', 'person', 'agent', 'runtime', 'proxy'] } } as const;
const IDENTITY: JsonObject = object({ device_id: text, roles: ROLES, scopes: texts, label: text }, [
  ...['device_id', 'roles', 'scopes', 'label'],
]);
const MINTED: JsonObject = {
  allOf: [
    IDENTITY,
    object({
      token: { ...text, description: 'For a program. Shown only once.' },
      browser_name: { ...text, description: 'For a browser, instead of a token: its proofs carry it.' },
    }),
  ],
};
const ORDER: JsonObject = object({ roles: ROLES, scopes: texts, label: text }, ['roles']);

/** Devices and pairing. */
export const DEVICE_PATHS: JsonObject = {
  '/api/me': { get: device('whoAmI', 'The device that calls.', { gives: IDENTITY }) },
  '/api/signout': { post: device('signOut', 'Revoke the device that calls.') },
  '/api/devices': {
    get: device('listDevices', 'All devices for people, its own for any other device.', {
      gives: list('devices'),
    }),
    post: device('mintDevice', 'Create a device with a token.', {
      ...{ body: ORDER, gives: MINTED, status: 201, refuses: [400] },
    }),
  },
  '/api/devices/{device_id}': {
    patch: device('renameDevice', 'Rename the device.', {
      ...{ parameters: DEVICE_ID, body: object({ label: text }, ['label']), refuses: [400, 404] },
      gives: object({ device_id: text, label: text }),
    }),
    delete: device('revokeDevice', 'Revoke the device: its connections end at once.', {
      ...{ parameters: DEVICE_ID, refuses: [404, 409] },
    }),
  },
  '/api/pair': {
    post: device('claimInvitation', 'Pair with the secret of a pairing link.', {
      ...{
        open: true,
        body: object({ secret: text, label: text, as: { enum: ['browser', 'token'] }, key: BROWSER_KEY }, [
          'secret',
        ]),
      },
      ...{ gives: MINTED, refuses: [400, 403, 404, 429] },
    }),
  },
  '/api/pair/invite': {
    post: device('invite', 'Create a pairing link for another device.', {
      ...{ body: ORDER, status: 201, refuses: [400] },
      gives: object({ pair_path: text, expires_at: { type: 'integer' }, outside_url: text }, [
        'pair_path',
        'expires_at',
      ]),
    }),
  },
  '/api/pair/code': {
    post: device('openPairingCode', 'Create a six-digit code that a person approves elsewhere.', {
      ...{
        open: true,
        body: object({ label: text, key: BROWSER_KEY }),
        gives: { type: 'object' },
        status: 201,
        refuses: [400, 429],
      },
    }),
  },
  '/api/pair/code/{id}': {
    get: device('collectPairing', 'The device of an approved code; 202 before approval.', {
      ...{ open: true, gives: MINTED, refuses: [403, 404, 429] },
      parameters: [
        pathParameter('id', 'The code, as it was created; send `Authorization: Pairing SECRET` with it.'),
        queryParameter('wait', 'Wait at most this many seconds for a change.'),
        queryParameter('as', 'A token instead of the name of a browser.', {
          schema: { enum: ['browser', 'token'] },
        }),
      ],
    }),
  },
  '/api/pair/approve': {
    post: device('approvePairing', 'Approve the device that shows this code.', {
      body: object({ code: text, roles: ROLES, scopes: texts }, ['code']),
      ...{ gives: object({ label: text, roles: ROLES }), refuses: [400, 404, 429] },
    }),
  },
};

const keeping = operations('sessions');
const SESSION = [pathParameter('session_id', 'The session.')];
const binary = (type: string): JsonObject => ({ [type]: { schema: { type: 'string', format: 'binary' } } });

/** Conversations and files. */
export const SESSION_PATHS: JsonObject = {
  '/api/sessions/{session_id}/browser': {
    get: keeping('sessionBrowser', 'Whether the agent of a conversation may use the lent tabs.', {
      ...{ parameters: SESSION, gives: { type: 'object' }, refuses: [404] },
    }),
    post: keeping('lendBrowser', "A proxy's request for the token of its agent (CHT-329).", {
      ...{ parameters: SESSION, gives: { type: 'object' }, status: 201, refuses: [404] },
    }),
    delete: keeping('takeBrowserBack', 'Take the lent tabs back from the agent of a conversation.', {
      ...{ parameters: SESSION, refuses: [404] },
    }),
  },
  '/api/files': {
    post: {
      ...keeping('addFile', 'Store a file for a session: the body is its content.', {
        ...{ gives: { type: 'object' }, status: 201, refuses: [400, 404, 413, 507] },
        parameters: [
          queryParameter('session_id', 'The session it is for.', { required: true }),
          queryParameter('name', "The file's name."),
        ],
      }),
      requestBody: { required: true, content: binary('application/octet-stream') },
    },
  },
  '/api/files/{file_id}': {
    get: {
      ...keeping('getFile', 'The content of a file.', {
        parameters: [pathParameter('file_id', 'The file.')],
      }),
      responses: {
        200: { description: 'The content.', content: binary('application/octet-stream') },
        ...refusals(401, 403, 404),
      },
    },
  },
};

const runtime = operations('runtimes');
const RUNTIME_ID = pathParameter('runtime_id', 'The runtime.');
const DEMO = object(
  {
    state: { enum: ['none', 'ready', 'playing', 'played', 'failed'] },
    said: { ...text, description: 'The last event of the demo, in one sentence.' },
    done: { ...texts, description: 'The results of the parts that are over.' },
  },
  ['state', 'said', 'done'],
);

/** Lent tabs, their grants, and the model. */
export const RUNTIME_PATHS: JsonObject = {
  '/api/runtimes': { get: runtime('listRuntimes', 'The lent tabs.', { gives: list('runtimes') }) },
  '/api/grants': {
    get: runtime('listGrants', 'The grants of the lent tabs.', { gives: list('grants') }),
  },
  '/api/grants/{runtime_id}': {
    delete: runtime('revokeGrants', 'Revoke all grants of one tab.', {
      ...{ parameters: [RUNTIME_ID], refuses: [404] },
    }),
  },
  '/api/grants/{runtime_id}/{grant_id}': {
    delete: runtime('revokeGrant', 'Revoke one grant.', {
      ...{ parameters: [RUNTIME_ID, pathParameter('grant_id', 'The grant.')], refuses: [404] },
    }),
  },
  '/api/halt': {
    post: runtime('halt', 'Stop everything: every agent, every task, every running grant.', {
      gives: { type: 'object' },
    }),
  },
  '/api/demo': {
    get: runtime('demo', 'Whether a demo can be played here, and its progress.', { gives: DEMO }),
    post: runtime('playDemo', 'Play the demo. Owners only; not while it is being played.', {
      ...{ gives: DEMO, status: 202, refuses: [404, 409, 503] },
    }),
  },
  '/api/settings/model': {
    get: runtime('modelSettings', 'Which model decides; never its key.', { gives: reference('ModelView') }),
    put: runtime('chooseModel', 'Choose the model that decides.', {
      ...{ gives: reference('ModelView'), refuses: [400] },
      body: object(
        {
          provider: { enum: ['anthropic', 'openai', 'google', 'compatible'] },
          ...{ model: text, base_url: text },
          price: {
            type: ['object', 'null'],
            description: '`input`, `output` and perhaps `cached`: US dollars per million tokens.',
          },
          api_key: {
            ...text,
            description: 'If absent, the key that is set for the same provider and address stays.',
          },
        },
        ['provider', 'model'],
      ),
    }),
    delete: runtime('forgetModel', 'Go back to the model of the environment, or to rules.', {
      gives: reference('ModelView'),
    }),
  },
};
