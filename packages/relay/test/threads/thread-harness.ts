import type { ActionCall } from '@drawbridge/protocol';
import type { TestDevice, TestPeer, TestRelay } from '../server/test-relay.ts';

export const URL_OF_TAB = 'https://shop.example/lamps';

/** A tab whose calls the test answers. */
export function lendTab(
  relay: TestRelay,
  runtime_id = 'tab_1',
  url = URL_OF_TAB,
  /** Answers requests for a picture; a tab without it can't take any. */
  picture?: () => object,
  manifest?: Readonly<Record<string, unknown>>,
) {
  const calls: ActionCall[] = [];
  const waiting = new Set<() => void>();
  const tab = relay.bridge.connectRuntime({
    asker: relay.asker,
    send(item) {
      if (item.type !== 'action_call') return;
      if (picture !== undefined && item.name === 'browser.screenshot') {
        const { call_id } = item;
        const output = picture();
        queueMicrotask(() => tab.receive({ type: 'action_call_output', call_id, runtime_id, output }));
        return;
      }
      calls.push(item);
      for (const look of waiting) look();
    },
  });
  tab.receive({
    type: 'runtime_ready',
    runtime_id,
    url,
    title: 'Lamps',
    ...(manifest && { manifest }),
    capabilities: [
      ...['page.read', 'element.click', 'element.upload', 'browser.navigate'],
      ...['browser.files.list', 'browser.files.read', 'browser.files.put'],
      ...(picture === undefined ? [] : ['browser.screenshot']),
    ],
  });
  return {
    runtime_id,
    next: () =>
      new Promise<ActionCall>((resolve) => {
        const look = () => {
          const call = calls.shift();
          if (call === undefined) return;
          waiting.delete(look);
          resolve(call);
        };
        waiting.add(look);
        look();
      }),
    answer: ({ call_id }: ActionCall, output: unknown) =>
      tab.receive({ type: 'action_call_output', call_id, runtime_id, output }),
    fail: ({ call_id }: ActionCall, code: string, message: string, evidence: object = {}) =>
      tab.receive({ type: 'action_error', call_id, runtime_id, error: { code, message, evidence } }),
    goTo: (to: string) => tab.receive({ type: 'runtime_status', runtime_id, url: to }),
    close: () => tab.close('gone'),
  };
}

export const http = async (
  relay: TestRelay,
  device: TestDevice | string,
  method: string,
  path: string,
  body?: object,
) => {
  const token = typeof device === 'string' ? device : device.token;
  const answer = await fetch(relay.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json().catch(() => undefined) };
};

/** `tools/call` over `/mcp`. */
export const mcp = (relay: Pick<TestRelay, 'url'>, token: string, name: string, args: object = {}) =>
  fetch(`${relay.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));

export const step = async (person: TestPeer, fits: (content: string) => boolean) => {
  for (;;) {
    const { message, session_id, sequence } = await person.next('message_event');
    if (fits(message.content)) return { ...message, session_id, sequence };
  }
};

export const question = (call: ActionCall, sentence: string) => ({
  question_id: `question_${call.call_id}`,
  runtime_id: 'tab_1',
  call_id: call.call_id,
  origin: 'https://shop.example',
  name: call.name,
  effect: 'irreversible' as const,
  sentence,
  data: [],
  call_hash: 'hash',
  expires_at: Date.now() + 600_000,
});
export const NEVER = new AbortController().signal;
