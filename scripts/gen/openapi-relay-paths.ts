import { type JsonObject, reference } from './json-schema.ts';
import { list, object, operations, text, texts } from './openapi-operation.ts';
import { BROWSER_KEY, pathParameter, queryParameter, refusals } from './openapi-parts.ts';

const task = operations('tasks');
const TASK = reference('Task');
const TASK_ID = [pathParameter('task_id', 'The task.')];
const control = (operationId: string, summary: string): JsonObject => ({
  post: task(operationId, summary, { parameters: TASK_ID, gives: TASK, refuses: [404, 409] }),
});

/** Things to have done in a browser. */
export const TASK_PATHS: JsonObject = {
  '/api/tasks': {
    post: task('orderTask', 'Have something done in a browser.', {
      parameters: [
        {
          ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: text },
          description: 'The same order with the same key is taken once.',
        },
      ],
      ...{ body: reference('TaskOrder'), gives: TASK, status: 202, refuses: [400, 409, 503] },
    }),
    get: task('listTasks', 'The latest tasks, the newest first: all for people, its own for an agent.', {
      parameters: [
        queryParameter('before', 'Only those that were asked for before this task.'),
        queryParameter('limit', '50 unless given, 500 at the most.', {
          schema: { type: 'integer', minimum: 1 },
        }),
      ],
      gives: object({ tasks: { type: 'array', items: TASK } }, ['tasks']),
      refuses: [400],
    }),
  },
  '/api/tasks/{task_id}': {
    get: task('getTask', 'How a task stands.', { parameters: TASK_ID, gives: TASK, refuses: [404] }),
    delete: task('cancelTask', 'End it now.', { parameters: TASK_ID, gives: TASK, refuses: [404, 409] }),
  },
  '/api/tasks/{task_id}/events': {
    get: {
      ...task('followTask', 'Its live events, to its end.', { parameters: TASK_ID }),
      description:
        'Server-sent events, each with the number of its line as `id`: `message`, `plan`, `step`, `task_result`; without one, `thought` while a model thinks, `state` when it changed and `end` with the task as it ended.',
      parameters: [
        ...TASK_ID,
        {
          ...{ name: 'Last-Event-ID', in: 'header', required: false, schema: text },
          description: 'The last one that came; `?after=` says the same.',
        },
      ],
      responses: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: text } } },
        ...refusals(400, 401, 403, 404),
      },
    },
  },
  '/api/tasks/{task_id}/trace': {
    get: task('taskTrace', 'What it did, to be done again without a model.', {
      ...{ parameters: TASK_ID, gives: { type: 'object' }, refuses: [404] },
    }),
  },
  '/api/tasks/{task_id}/answer': {
    post: task('answerTask', 'Answer what it asks, or steer it.', {
      ...{ parameters: TASK_ID, body: object({ answer: text }, ['answer']) },
      ...{ gives: TASK, refuses: [400, 404, 409] },
    }),
  },
  '/api/tasks/{task_id}/pause': control('pauseTask', 'Hold it before its next look or act.'),
  '/api/tasks/{task_id}/resume': control('resumeTask', 'Let it go on.'),
  '/api/tasks/{task_id}/takeover': control('takeOverTask', 'Hold it while a person works in the page.'),
  '/api/tasks/{task_id}/handback': control('handBackTask', 'It looks at the page again, and goes on.'),
  '/api/tasks/{task_id}/retry': {
    post: task('retryTask', 'The same once more, as a task of its own.', {
      ...{ parameters: TASK_ID, gives: TASK, status: 202, refuses: [404, 409, 503] },
    }),
  },
  '/api/task-clients': {
    post: task('addTaskClient', 'The address of a new extension of the task protocol, shown this once.', {
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
      token: { ...text, description: "A program's. Shown this once." },
      browser_name: { ...text, description: "A browser's, instead of a token: its proofs carry it." },
    }),
  ],
};
const ORDER: JsonObject = object({ roles: ROLES, scopes: texts, label: text }, ['roles']);

/** Who is let in. */
export const DEVICE_PATHS: JsonObject = {
  '/api/me': { get: device('whoAmI', 'The device that asks.', { gives: IDENTITY }) },
  '/api/signout': { post: device('signOut', 'Revoke the device that asks.') },
  '/api/devices': {
    get: device('listDevices', 'All of them for people, its own for any other device.', {
      gives: list('devices'),
    }),
    post: device('mintDevice', 'Let a device in, with a token.', {
      ...{ body: ORDER, gives: MINTED, status: 201, refuses: [400] },
    }),
  },
  '/api/devices/{device_id}': {
    patch: device('renameDevice', 'Give it another name.', {
      ...{ parameters: DEVICE_ID, body: object({ label: text }, ['label']), refuses: [400, 404] },
      gives: object({ device_id: text, label: text }),
    }),
    delete: device('revokeDevice', 'Let it in no more: its connections end at once.', {
      ...{ parameters: DEVICE_ID, refuses: [404, 409] },
    }),
  },
  '/api/pair': {
    post: device('claimInvitation', 'Come in with the secret of a pairing link.', {
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
    post: device('invite', 'A pairing link for another device.', {
      ...{ body: ORDER, status: 201, refuses: [400] },
      gives: object({ pair_path: text, expires_at: { type: 'integer' } }, ['pair_path', 'expires_at']),
    }),
  },
  '/api/pair/code': {
    post: device('openPairingCode', 'A code of six digits that a person approves elsewhere.', {
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
    get: device('collectPairing', 'The device that the code became, once it is approved; 202 before.', {
      ...{ open: true, gives: MINTED, refuses: [403, 404, 429] },
      parameters: [
        pathParameter('id', 'The code, as it was opened; `Authorization: Pairing SECRET` goes with it.'),
        queryParameter('wait', 'So many seconds at the most, until there is something to say.'),
        queryParameter('as', 'A token instead of the name of a browser.', {
          schema: { enum: ['browser', 'token'] },
        }),
      ],
    }),
  },
  '/api/pair/approve': {
    post: device('approvePairing', 'Let in the device that shows this code.', {
      body: object({ code: text, roles: ROLES, scopes: texts }, ['code']),
      ...{ gives: object({ label: text, roles: ROLES }), refuses: [400, 404, 429] },
    }),
  },
};

const keeping = operations('sessions');
const SESSION = [pathParameter('session_id', 'The session.')];
const binary = (type: string): JsonObject => ({ [type]: { schema: { type: 'string', format: 'binary' } } });

/** What the relay keeps. */
export const SESSION_PATHS: JsonObject = {
  '/api/sessions': {
    get: keeping('listSessions', 'The conversations that this device sees.', { gives: list('sessions') }),
  },
  '/api/sessions/{session_id}': {
    delete: keeping('deleteSession', 'Delete a conversation, with its files and tasks.', {
      ...{ parameters: SESSION, refuses: [404, 409] },
    }),
  },
  '/api/sessions/{session_id}/export': {
    get: {
      ...keeping('exportSession', 'All of a conversation, one JSON object a line.', { parameters: SESSION }),
      responses: {
        200: { description: 'The lines.', content: binary('application/jsonl') },
        ...refusals(401, 403, 404),
      },
    },
  },
  '/api/files': {
    post: {
      ...keeping('addFile', 'Keep a file for a session: the body is its content.', {
        ...{ gives: { type: 'object' }, status: 201, refuses: [400, 404, 413, 507] },
        parameters: [
          queryParameter('session_id', 'The session it is for.', { required: true }),
          queryParameter('name', 'What it is called.'),
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
    said: { ...text, description: 'What happened last, in one sentence.' },
    done: { ...texts, description: 'What came of the parts that are over.' },
  },
  ['state', 'said', 'done'],
);

/** The browsers that are lent, what they may do without asking, and what decides in them. */
export const RUNTIME_PATHS: JsonObject = {
  '/api/runtimes': { get: runtime('listRuntimes', 'The tabs that are lent.', { gives: list('runtimes') }) },
  '/api/grants': {
    get: runtime('listGrants', 'What they may do without asking.', { gives: list('grants') }),
  },
  '/api/grants/{runtime_id}': {
    delete: runtime('revokeGrants', 'Take all of it back from one of them.', {
      ...{ parameters: [RUNTIME_ID], refuses: [404] },
    }),
  },
  '/api/grants/{runtime_id}/{grant_id}': {
    delete: runtime('revokeGrant', 'Take one of them back.', {
      ...{ parameters: [RUNTIME_ID, pathParameter('grant_id', 'The grant.')], refuses: [404] },
    }),
  },
  '/api/halt': {
    post: runtime('halt', 'Stop everything: every agent, every task, every running grant.', {
      gives: { type: 'object' },
    }),
  },
  '/api/demo': {
    get: runtime('demo', 'Whether a demo can be played here, and how far it is.', { gives: DEMO }),
    post: runtime('playDemo', 'Play the demo. For an owner; not while it is being played.', {
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
          api_key: { ...text, description: 'Left out, the one that is set for the same place stays.' },
        },
        ['provider', 'model'],
      ),
    }),
    delete: runtime('forgetModel', 'Go back to what the environment names, or to rules.', {
      gives: reference('ModelView'),
    }),
  },
};
