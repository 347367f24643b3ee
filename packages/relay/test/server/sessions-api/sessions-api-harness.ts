import type { TestDevice, TestPeer, TestRelay } from '../test-relay.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  readonly body: any;
}

export interface CallOptions {
  readonly body?: unknown;
  /** Replaces the bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `call(relay, device, 'DELETE /api/sessions/one')` */
export async function call(
  { url }: TestRelay,
  device: TestDevice,
  route: string,
  { body, headers = { authorization: `Bearer ${device.token}` } }: CallOptions = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '');
  const { status } = response;
  return { status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

const AT = '2026-01-01T00:00:00.000Z';

/** A proxy with these sessions, announced and stored. */
export async function startProxy(relay: TestRelay, ...session_ids: readonly string[]): Promise<TestPeer> {
  const proxy = await relay.connect('proxy');
  proxy.send({
    type: 'proxy_session_snapshot',
    sessions: session_ids.map((session_id) => ({
      session_id,
      agent_type: 'codex',
      display_name: `Agent ${session_id}`,
      status: 'healthy',
    })),
  });
  await proxy.settled();
  return proxy;
}

/** Resolves when a screen has received the message, so it is in the ledger. */
export async function appendMessages(
  proxy: TestPeer,
  screen: TestPeer,
  session_id: string,
  ...texts: readonly string[]
) {
  for (const content of texts) {
    proxy.send({
      type: 'proxy_message',
      session_id,
      message: { role: 'assistant', content, created_at: AT },
    });
    await screen.next('message_event');
  }
}

/** Disconnects the proxy and waits until every screen has noticed. */
export async function leave(proxy: TestPeer, screen: TestPeer, sessions = 1): Promise<void> {
  await proxy.close();
  for (let told = 0; told < sessions; told += 1) await screen.next('session_down');
}
