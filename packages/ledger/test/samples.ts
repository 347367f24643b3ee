import type { TabSessionRecord } from '../src/records.ts';
import type {
  AcceptMessage,
  AppendEvent,
  CreateSession,
  OpenLaunch,
  OpenPrompt,
  PutTabSession,
  PutTask,
} from '../src/writes.ts';

/** Complete writes; a test sets only the fields that it is about. */
export function session(session_id: string, more: Partial<CreateSession> = {}): CreateSession {
  return {
    do: 'create_session',
    session_id,
    proxy_device_id: 'proxy',
    metadata: { agent_type: 'codex' },
    at: 1,
    ...more,
  };
}

export function event(session_id: string, event_id: string, more: Partial<AppendEvent> = {}): AppendEvent {
  return {
    do: 'append_event',
    session_id,
    event_id,
    type: 'session_status',
    payload: { event_id },
    at: 2,
    ...more,
  };
}

export function send(
  session_id: string,
  client_message_id: string,
  more: Partial<AcceptMessage> = {},
): AcceptMessage {
  return {
    do: 'accept_message',
    session_id,
    client_message_id,
    device_id: 'phone',
    payload: { content: 'hello', created_at: '2026-01-01T00:00:00.000Z' },
    identity: { content: 'hello' },
    event: { event_id: `accepted-${client_message_id}`, payload: { client_message_id } },
    at: 3,
    expires_at: 1_000,
    ...more,
  };
}

export function prompt(session_id: string, prompt_id: string, more: Partial<OpenPrompt> = {}): OpenPrompt {
  return {
    do: 'open_prompt',
    session_id,
    prompt_id,
    body: { prompt_text: 'Run it?' },
    at: 4,
    expires_at: null,
    ...more,
  };
}

export function launch(request_id: string, more: Partial<OpenLaunch> = {}): OpenLaunch {
  return {
    do: 'open_launch',
    request_id,
    device_id: 'phone',
    client_id: null,
    proxy_device_id: 'proxy',
    body: { agent_type: 'codex' },
    at: 5,
    timeout_at: 35,
    ...more,
  };
}

export function task(
  session_id: string,
  task_id: string,
  if_revision: number,
  more: Partial<PutTask['task']> = {},
): PutTask {
  const ids = { task_id, session_id, device_id: 'phone' };
  const times = { created_at: 6, updated_at: 7, settled_at: null };
  const rest = { state: 'running', priority: 0, body: { query: 'buy milk' } } as const;
  return { do: 'put_task', task: { ...ids, ...rest, ...times, ...more }, if_revision };
}

export function tabSession(session_id: string, more: Partial<TabSessionRecord> = {}): PutTabSession {
  const session: TabSessionRecord = {
    session_id,
    device_id: 'phone',
    domain: 'shop.example',
    url: 'https://shop.example/',
    title: 'shop.example: buy milk',
    is_renamed: false,
    tab_id: null,
    metadata: {},
    created_at: 6,
    updated_at: 7,
    ...more,
  };
  return { do: 'put_tab_session', session };
}
