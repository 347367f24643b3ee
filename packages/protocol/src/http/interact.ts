import { Type } from 'typebox';
import { LIMITS } from '../wire/limits.ts';
import { defineRoutes, reference, shape } from './route.ts';

const sessionId = 'The session.';
const taskId = 'The task.';
const integer = Type.Integer();
const object = shape<object>();
const SESSION_BODY_BYTES = 65_536;
const ACCOUNT_BODY_BYTES = 16_384;

/** Contract 4: the next action for a page. */
export const INTERACT = defineRoutes({
  'POST /api/agent/interact': {
    ...{ operation: 'interact', tag: 'interact', access: 'interact' },
    summary: 'Show the page, get the next action.',
    headers: {
      'Idempotency-Key': {
        description: 'A call repeated with the same key gets the stored answer and adds no step.',
      },
    },
    body: reference('InteractRequest'),
    // A character takes up to three bytes; the limit counts characters.
    bytes: 3 * LIMITS.interact_request.value,
    reply: reference('InteractResponse'),
    done: 'The next step, or what the server needs before it can decide.',
    refuses: ['invalid_request', 'task_not_found', 'task_busy', 'body_too_large', 'rate_limited'],
  },
  'POST /api/knowledge/upload-to-s3': {
    ...{ operation: 'uploadTaskFile', tag: 'interact', access: 'interact' },
    summary: 'A text file for a task, as a form with the field `file`.',
    form: { type: 'multipart/form-data', schema: object },
    reply: object,
    done: 'The `s3Key` for `attachment`.',
    refuses: ['invalid_request', 'body_too_large', 'rate_limited'],
  },
});

/** Contract 4: the sessions in which tasks run. */
export const TAB_SESSIONS = defineRoutes({
  'GET /api/session/latest': {
    ...{ operation: 'latestSession', tag: 'interact', access: 'interact' },
    summary: 'The session with the latest call or message.',
    reply: reference('TabSession'),
    done: 'That session.',
    refuses: ['session_not_found'],
  },
  'GET /api/session/by-domain/{domain}': {
    ...{ operation: 'sessionByDomain', tag: 'interact', access: 'interact' },
    summary: 'The most recent session of a domain.',
    params: { domain: 'A root domain, such as `shop.co.uk`.' },
    reply: reference('SessionFound'),
    done: 'That session, or `null`.',
  },
  'GET /api/session/{sessionId}/messages': {
    ...{ operation: 'sessionMessages', tag: 'interact', access: 'interact', params: { sessionId } },
    summary: 'The messages of a session in their order.',
    query: {
      limit: { description: 'The newest messages only, 1 to 200.', schema: integer },
      since: { description: 'Messages from this ISO 8601 time on.' },
    },
    reply: reference('SessionMessages'),
    done: 'The messages; none, with `sessionExists: false`, when there is no such session.',
    refuses: ['invalid_request'],
  },
  'GET /api/session': {
    ...{ operation: 'listSessions', tag: 'interact', access: 'interact' },
    summary: "The device's sessions, the one used last first.",
    query: {
      status: { description: '`active` or `archived`.' },
      includeArchived: { description: '`true` lists archived ones too.' },
      limit: { description: 'At most this many, up to 200.', schema: integer },
      offset: { description: 'Skips this many.', schema: integer },
    },
    reply: object,
    done: 'The sessions and their pagination.',
    refuses: ['invalid_request'],
  },
  'POST /api/session': {
    ...{ operation: 'archiveSession', tag: 'interact', access: 'interact' },
    ...{ body: object, bytes: SESSION_BODY_BYTES },
    summary: 'Archive a session.',
    reply: object,
    done: 'The session is archived.',
    refuses: ['invalid_request', 'session_not_found', 'body_too_large'],
  },
  'POST /api/session/init': {
    ...{ operation: 'initSession', tag: 'interact', access: 'interact' },
    ...{ body: object, bytes: SESSION_BODY_BYTES },
    summary: 'Create a session with the given id, so that its pushes can be subscribed to.',
    reply: object,
    done: 'Whether the session was created by this call.',
    refuses: ['invalid_request', 'session_archived', 'body_too_large', 'rate_limited'],
  },
  'POST /api/session/{sessionId}/task/{taskId}/resume': {
    ...{ operation: 'resumeTask', tag: 'interact', access: 'interact', params: { sessionId, taskId } },
    ...{ body: object, bytes: SESSION_BODY_BYTES },
    summary: 'Go on with a task that waits for a person.',
    reply: object,
    done: 'The task goes on.',
    refuses: ['invalid_request', 'task_not_found', 'body_too_large'],
  },
  'GET /api/session/{sessionId}/task/{taskId}/report': {
    ...{ operation: 'taskReport', tag: 'interact', access: 'interact', params: { sessionId, taskId } },
    summary: 'The actions of a task and its end, as a file.',
    query: { format: { description: '`json`, `csv` or `markdown`.' } },
    reply: object,
    done: 'The report.',
    refuses: ['invalid_request', 'task_not_found'],
  },
  'PATCH /api/session/{sessionId}': {
    ...{ operation: 'renameSession', tag: 'interact', access: 'interact', params: { sessionId } },
    ...{ body: reference('SessionRename'), bytes: SESSION_BODY_BYTES },
    summary: 'Give a session another title.',
    reply: reference('TabSession'),
    done: 'The changed session.',
    refuses: ['invalid_request', 'session_not_found', 'body_too_large'],
  },
});

/** Sign-in and settings of clients of contract 4 that know accounts only. */
export const ACCOUNTS = defineRoutes({
  'POST /api/v1/auth/login': {
    ...{ operation: 'signIn', tag: 'interact', access: 'anybody', body: object, bytes: ACCOUNT_BODY_BYTES },
    summary: 'Sign a client in with the one-use code of a pairing link as its password.',
    reply: object,
    done: 'The access token.',
    refuses: ['invalid_request', 'unauthorized', 'forbidden', 'rate_limited'],
  },
  'GET /api/v1/auth/session': {
    ...{ operation: 'signedInUser', tag: 'interact', access: 'interact' },
    summary: 'The signed-in device, as a user.',
    reply: object,
    done: 'The user.',
  },
  'POST /api/v1/auth/logout': {
    ...{ operation: 'signOutClient', tag: 'interact', access: 'interact' },
    summary: 'Revoke the token.',
    done: 'Signed out.',
  },
  'GET /api/v1/user/preferences': {
    ...{ operation: 'preferences', tag: 'interact', access: 'interact' },
    summary: "The client's theme.",
    reply: object,
    done: 'The preferences.',
  },
  'POST /api/v1/user/preferences': {
    ...{ operation: 'setPreferences', tag: 'interact', access: 'interact' },
    ...{ body: object, bytes: ACCOUNT_BODY_BYTES },
    summary: "Set the client's theme.",
    reply: object,
    done: 'The preferences.',
    refuses: ['invalid_request'],
  },
  'GET /api/knowledge/resolve': {
    ...{ operation: 'resolveKnowledge', tag: 'interact', access: 'interact' },
    summary: 'Documents about a site. The relay stores none.',
    query: { url: { description: 'A host name.' } },
    reply: object,
    done: 'An empty list.',
  },
});
