import { Type } from 'typebox';
import type { ChatFrame } from '../chat/frames.ts';
import { LIMITS } from '../wire/limits.ts';
import { defineRoutes, listOf, type Parameter, shape, wholeNumber } from './route.ts';
import type { LentTabs } from './runtimes.ts';

type FrameOf<Kind extends ChatFrame['type']> = Extract<ChatFrame, { type: Kind }>;

export interface SessionSummary {
  readonly session_id: string;
  readonly name: string;
  readonly status: 'connected' | 'disconnected' | 'closed';
  readonly head: number;
  /** Number of stored events. */
  readonly events: number;
  readonly created_at: number;
  /** Null for an open session. */
  readonly closed_at: number | null;
  readonly agent_type?: string;
  readonly agent_name?: string;
  readonly machine_label?: string;
  readonly workspace_path?: string;
}

/** A machine on which an agent can be started. Without an offer, its proxy does not list its agents. */
export interface Machine {
  readonly machine_label: string;
  readonly offer?: Pick<FrameOf<'proxy_offer'>, 'agents' | 'workspaces'>;
}

export interface AuditRecord {
  readonly number: number;
  readonly at: number;
  readonly device_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly detail: object;
}

export type ScheduledSend = FrameOf<'scheduled_send_status'>['scheduled_send'];

export const SearchHit = Type.Object({
  session_id: Type.String(),
  name: Type.String(),
  message_id: Type.String(),
  sequence: wholeNumber,
  role: Type.String(),
  at: wholeNumber,
  /** Text around the first found word, with secrets masked. */
  excerpt: Type.String(),
});

/** Null: everything is kept for ever. */
export const Settings = Type.Object({
  retention_days: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
});

const session_id = 'The session.';
const count = (description: string): Parameter => ({ description, schema: wholeNumber });

/** Stored data, settings, search and the audit log. */
export const SESSIONS_API = defineRoutes({
  'GET /api/machines': {
    ...{ operation: 'listMachines', tag: 'runtimes', access: 'home' },
    summary: 'Machines on which an agent can be started, their agents and folders.',
    reply: listOf('machines', shape<Machine>()),
  },
  'GET /api/sessions': {
    ...{ operation: 'listSessions', tag: 'sessions', access: 'person' },
    summary: 'The conversations that this device can see.',
    reply: listOf('sessions', shape<SessionSummary>()),
  },
  'DELETE /api/sessions/{session_id}': {
    ...{ operation: 'deleteSession', tag: 'sessions', access: 'person', params: { session_id } },
    summary: 'Delete a conversation, with its files and tasks.',
    refuses: ['not_found', 'forbidden', 'session_connected'],
  },
  'GET /api/sessions/{session_id}/export': {
    ...{ operation: 'exportSession', tag: 'sessions', access: 'person', params: { session_id } },
    summary: 'A whole conversation, one JSON object per line.',
    stream: { type: 'application/jsonl', description: 'The lines.' },
    refuses: ['not_found'],
  },
  'GET /api/search': {
    ...{ operation: 'search', tag: 'relay', access: 'person' },
    summary: 'Messages with these words, the newest first; secrets are masked.',
    query: { q: { description: 'Words, or their beginnings; at most 200 characters.' } },
    reply: Type.Object({
      hits: Type.Array(SearchHit),
      is_complete: Type.Boolean({ description: 'False while messages are indexed: search again.' }),
    }),
    refuses: ['invalid_request'],
  },
  'GET /api/settings': {
    ...{ operation: 'settings', tag: 'relay', access: 'person', reply: Settings },
    summary: 'The settings of the relay.',
  },
  'PUT /api/settings': {
    ...{ operation: 'changeSettings', tag: 'relay', access: 'owner', bytes: 16_384 },
    summary: 'Days after which messages are deleted; null keeps them.',
    ...{ body: Settings, reply: Settings, refuses: ['invalid_request'] },
  },
  'GET /api/audit': {
    ...{ operation: 'audit', tag: 'relay', access: 'home' },
    summary: 'The audit log, newest first.',
    query: {
      before: count('Only entries before this number.'),
      limit: count('100 unless given, at most 1,000.'),
      from: count('Not earlier than this time, in milliseconds.'),
      until: count('Not later than this time, in milliseconds.'),
      device: { description: 'Only entries of this device.' },
      action: { description: 'Only entries of this kind.' },
      subject: { description: 'About this.' },
    },
    reply: Type.Unsafe<{
      readonly audit: readonly AuditRecord[];
      /** Where to continue; null at the end of the log. */
      readonly next: number | null;
    }>(listOf('audit', shape<AuditRecord>())),
    refuses: ['invalid_request'],
  },
});

/** Messages that the relay sends later (CHT-337 to CHT-341). */
export const SCHEDULED_SENDS = defineRoutes({
  'GET /api/scheduled-sends': {
    ...{ operation: 'listScheduledSends', tag: 'sessions', access: 'person' },
    summary: 'Messages of this device that the relay sends later.',
    query: { session_id: { description: 'Only those of this session.' } },
    reply: listOf('scheduled_sends', shape<ScheduledSend>()),
  },
  'POST /api/scheduled-sends': {
    ...{
      operation: 'scheduleSend',
      tag: 'sessions',
      access: 'person',
      status: 201,
      bytes: 4 * LIMITS.scheduled_send.value,
    },
    summary: 'Send a message at a time, or when the agent becomes idle.',
    body: Type.Object({
      session_id: Type.String(),
      content: Type.String(),
      trigger_kind: Type.Enum(['at', 'idle']),
      deliver_at: Type.Optional(Type.String()),
    }),
    reply: shape<{ readonly scheduled_send: ScheduledSend }>(),
    refuses: ['invalid_request', 'not_found', 'rate_limited'],
  },
  'DELETE /api/scheduled-sends/{id}': {
    ...{ operation: 'cancelScheduledSend', tag: 'sessions', access: 'person' },
    summary: 'Cancel a message that was not sent yet.',
    params: { id: 'The scheduled message.' },
    reply: shape<{ readonly scheduled_send: ScheduledSend }>(),
    refuses: ['not_found', 'already_sent'],
  },
});

/** The lent tabs of a session's agent (CHT-329, CHT-330). */
export const LENT_BROWSER = defineRoutes({
  'GET /api/sessions/{session_id}/browser': {
    ...{ operation: 'sessionBrowser', tag: 'sessions', access: 'person', params: { session_id } },
    summary: 'Whether the agent of a conversation may use the lent tabs.',
    ...{ reply: shape<LentTabs>(), refuses: ['not_found'] },
  },
  'POST /api/sessions/{session_id}/browser': {
    ...{ operation: 'lendBrowser', tag: 'sessions', access: 'proxy', params: { session_id } },
    summary: "A proxy's request for the token of its agent, which may wait for a person (CHT-329, CHT-361).",
    ...{ bytes: 4_096, status: 201, refuses: ['not_found', 'forbidden'] },
    reply: shape<{ readonly device_id: string; readonly token: string }>(),
  },
  'PUT /api/sessions/{session_id}/browser': {
    ...{ operation: 'lendTabs', tag: 'sessions', access: 'home', params: { session_id } },
    summary: 'Lend the tabs to the agent of a conversation (CHT-362).',
    ...{ bytes: 16_384, refuses: ['not_found', 'invalid_request'] },
    body: shape<{ readonly origins?: readonly string[] }>(),
  },
  'DELETE /api/sessions/{session_id}/browser': {
    ...{ operation: 'takeBrowserBack', tag: 'sessions', access: 'home', params: { session_id } },
    summary: 'Take the lent tabs back from the agent of a conversation.',
    refuses: ['not_found'],
  },
  'POST /api/sessions/{session_id}/browser/takeover': {
    ...{ operation: 'takeOverBrowser', tag: 'sessions', access: 'home', params: { session_id } },
    summary: "Pause the agent's browser calls while a person works there (CHT-366).",
    refuses: ['not_found'],
  },
  'POST /api/sessions/{session_id}/browser/handback': {
    ...{ operation: 'handBackBrowser', tag: 'sessions', access: 'home', params: { session_id } },
    summary: 'Give the browser back to the agent after a takeover (CHT-367).',
    refuses: ['not_found'],
  },
});

export interface StoredFile {
  readonly file_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const FILES = defineRoutes({
  'POST /api/files': {
    ...{ operation: 'addFile', tag: 'sessions', access: 'files', upload: true, status: 201 },
    summary: 'Store a file for a session: the body is its content.',
    query: {
      session_id: { description: 'The session it is for.', required: true },
      name: { description: "The file's name." },
    },
    reply: shape<StoredFile>(),
    refuses: ['invalid_request', 'not_found', 'file_too_large', 'quota_reached'],
  },
  'GET /api/files/{file_id}': {
    ...{ operation: 'getFile', tag: 'sessions', access: 'files', params: { file_id: 'The file.' } },
    summary: 'The content of a file.',
    stream: { type: 'application/octet-stream', description: 'The content.' },
    refuses: ['not_found'],
  },
});
