import { type ChatLink, type ChatOptions, connectChat } from '@drawbridge/link/chat';
import type { MessageDetails, TaskState } from '@drawbridge/protocol';
import { type CallArguments, type ReplyTo, type RouteName, requestOf } from '@drawbridge/protocol/http-call';

export { type ChatEvent, type ChatLink, ChatRefusal, historyPages } from '@drawbridge/link/chat';
export { fileOutbox } from '@drawbridge/link/node';

export interface ClientOptions {
  /** `http://127.0.0.1:7717` */
  readonly url: string;
  /** From `drawbridge pair --role agent --json`, or from `pair` below. */
  readonly token: string;
}

export interface TaskOrder {
  readonly prompt: string;
  /** The page to start on. */
  readonly url?: string;
  /** The tab to use; any idle one by default. */
  readonly runtime?: string;
  /** A JSON Schema that the result must fit. */
  readonly schema?: object;
  readonly metadata?: {
    readonly priority?: number;
    /** In milliseconds. */
    readonly timeout?: number;
    readonly max_steps?: number;
    readonly max_tokens?: number;
    readonly max_cost?: number;
  };
}

export interface Task {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: TaskState;
  readonly prompt: string;
  readonly steps: number;
  readonly note?: string;
  readonly question?: string;
  readonly message?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export type TaskNews =
  | {
      readonly kind: 'event';
      readonly role: string;
      readonly text: string;
      readonly details?: MessageDetails;
    }
  | { readonly kind: 'state' | 'end'; readonly task: Task };

export interface Client {
  readonly me: () => Promise<{
    readonly device_id: string;
    readonly label: string;
    readonly roles: readonly string[];
  }>;
  readonly tasks: {
    /** The same `key` starts the task once, however often it is sent. */
    readonly start: (order: TaskOrder, key?: string) => Promise<Task>;
    readonly show: (task_id: string) => Promise<Task>;
    readonly answer: (task_id: string, answer: string) => Promise<Task>;
    readonly cancel: (task_id: string) => Promise<Task>;
    /** Live events of a task; the last is `end`. */
    readonly follow: (task_id: string) => AsyncGenerator<TaskNews>;
  };
  /** The conversations, live: instruct agents and answer their questions. */
  readonly chat: (options?: Partial<ChatOptions>) => ChatLink;
  /** Any other endpoint of the reference, `/openapi.json`. */
  readonly ask: <Answer>(method: string, path: string, body?: object) => Promise<Answer>;
}

/** A refusal by the relay, with its message. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function createClient({ url, token }: ClientOptions): Client {
  const base = url.replace(/\/$/, '');
  const open = (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => request(`${base}${path}`, method, body, { ...headers, authorization: `Bearer ${token}` });
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    trustAnswer(await open(method, path, body));
  const call = async <Name extends RouteName>(
    name: Name,
    ...[given, headers]: CallArguments<Name, Readonly<Record<string, string>>>
  ): Promise<ReplyTo<Name>> => {
    const { method, path, body } = requestOf(name, given);
    return trustAnswer(await open(method, path, body, headers));
  };
  return {
    ask,
    me: () => call('GET /api/me'),
    tasks: {
      start: (body, key) =>
        call('POST /api/tasks', { body }, key === undefined ? {} : { 'idempotency-key': key }),
      show: (task_id) => call('GET /api/tasks/{task_id}', { task_id }),
      answer: (task_id, answer) => call('POST /api/tasks/{task_id}/answer', { task_id, body: { answer } }),
      cancel: (task_id) => call('DELETE /api/tasks/{task_id}', { task_id }),
      async *follow(task_id) {
        const { path } = requestOf('GET /api/tasks/{task_id}/events', { task_id });
        yield* newsOf(await open('GET', path));
      },
    },
    chat: (options = {}) =>
      connectChat({
        url: `${base.replace(/^http/, 'ws')}/ws/chat`,
        token,
        peer_role: 'browser',
        client_name: 'drawbridge/client',
        ...options,
      }),
  };
}

/** Pairs with the link that `drawbridge pair` or `up` shows, once. */
export async function pair(
  link: string,
  label: string,
): Promise<ClientOptions & { readonly device_id: string }> {
  const { origin, hash } = new URL(link);
  const secret = new URLSearchParams(hash.slice(1)).get('pair');
  if (secret === null) throw new Error('This is no pairing link: it has no #pair=… at its end.');
  const answer = await request(`${origin}/api/pair`, 'POST', { secret, label, as: 'token' });
  const device = await trustAnswer<{ readonly device_id: string; readonly token: string }>(answer);
  return { url: origin, token: device.token, device_id: device.device_id };
}

async function request(
  url: string,
  method: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const { code, message } = parseRefusal(await response.text());
  const path = `${method} ${new URL(url).pathname}`;
  throw new RelayRefusal(response.status, code, message ?? `${path} was answered with ${response.status}.`);
}

function parseRefusal(text: string): { readonly code: string; readonly message?: string } {
  try {
    return JSON.parse(text).error;
  } catch {
    return { code: 'unknown' };
  }
}

/** The relay's answers have the shape of its reference. */
async function trustAnswer<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  return JSON.parse(text || 'null');
}

async function* newsOf({ body }: Response): AsyncGenerator<TaskNews> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (name === undefined || data === undefined) continue;
      const value = JSON.parse(data);
      yield name === 'end' || name === 'state' ? { kind: name, task: value } : { ...value, kind: 'event' };
    }
  }
}
