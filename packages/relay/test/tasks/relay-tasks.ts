import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Brain, StepAnswer, StepInput, StepOptions } from '@drawbridge/brain';
import { connectWebSocket } from '@drawbridge/link';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  startTestRelay,
  type TestDevice,
  type TestRelay,
  type TestRelayOptions,
} from '../server/test-relay.ts';
import { type ScriptedTab, scriptTab } from './scripted-tab.ts';

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

export type Answer =
  | StepAnswer
  | ((input: StepInput, options: StepOptions) => StepAnswer | Promise<StepAnswer>);

/** A brain that plays scripted steps in order and then finishes. */
export function scriptedBrain(
  ...lines: readonly Answer[]
): Brain & { readonly inputs: readonly StepInput[] } {
  const left = [...lines];
  const inputs: StepInput[] = [];
  return {
    name: 'scripted',
    inputs,
    async step(input, options = {}) {
      inputs.push(input);
      const line = left.shift() ?? { thought: 'Done.', action: 'finish()', status: 'completed' };
      const spent = { ...NOTHING, steps: inputs.length, began: input.now };
      const answer = typeof line === 'function' ? await line(input, options) : line;
      return { memory: { spent }, answer, usage: NOTHING };
    },
  };
}

export const click: StepAnswer = { thought: 'It goes into the cart.', action: 'click(7)' };

export const startTaskRelay = (brain: Brain, options: TestRelayOptions = {}): Promise<TestRelay> =>
  startTestRelay({ brain: () => brain, ...options });

/** A tab of another process, connected over a real socket. */
export function lendRemoteTab(url: string, token: string, id: string, acts: string[] = []): ScriptedTab {
  const link = connectWebSocket({ url: `${url.replace('http', 'ws')}/ws/runtime`, token });
  onTestFinished(link.close);
  const tab = scriptTab(id, link.send, link.close, { acts });
  link.onItem(tab.receive);
  link.onState(({ kind }) => kind === 'open' && link.send(tab.ready));
  return tab;
}

export async function call(
  { url }: Pick<TestRelay, 'url'>,
  { token }: Pick<TestDevice, 'token'>,
  route: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

export interface Sent {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the events of a task until one matches, or to their end. */
export async function events(
  { url }: Pick<TestRelay, 'url'>,
  { token }: Pick<TestDevice, 'token'>,
  task_id: string,
  { after, until = () => false }: { readonly after?: number; readonly until?: (sent: Sent) => boolean } = {},
): Promise<readonly Sent[]> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(after !== undefined && { 'last-event-id': `${after}` }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/tasks/${task_id}/events`, { headers }, resolve).on('error', reject);
  });
  const all: Sent[] = [];
  try {
    let event = '';
    let data = '';
    let id: number | undefined;
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('event: ')) event = line.slice('event: '.length);
      if (line.startsWith('data: ')) data = line.slice('data: '.length);
      if (line.startsWith('id: ')) id = Number(line.slice('id: '.length));
      if (line !== '' || event === '') continue;
      const sent = { id, event, data: JSON.parse(data) };
      all.push(sent);
      if (until(sent)) break;
      event = '';
      id = undefined;
    }
  } finally {
    response.destroy();
  }
  return all;
}

/** Resolves when the task has ended. */
export async function ended(
  relay: Pick<TestRelay, 'url'>,
  device: Pick<TestDevice, 'token'>,
  task_id: string,
) {
  return (await events(relay, device, task_id)).at(-1)?.data ?? {};
}

/** An extension that speaks the task protocol. */
export async function connectExtension(relay: TestRelay) {
  const owner = await relay.mint('owner');
  const { body } = await call(relay, owner, 'POST /api/task-clients', { label: 'Extension' });
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}${body.path}`);
  onTestFinished(() => socket.terminate());
  const orders: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.type === 'execute_task') orders.push(message);
    for (const look of waiting) look();
  });
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify({ timestamp: Date.now(), ...message }));
  return {
    client_id: String(body.device_id),
    socket,
    send,
    /** The next order that no earlier call returned. */
    order: () =>
      new Promise<{ taskId: string; prompt: string; metadata: Record<string, unknown> }>((resolve) => {
        const look = () => {
          const next = orders.shift();
          if (next === undefined) return;
          waiting.delete(look);
          resolve(trustOrder(next));
        };
        waiting.add(look);
        look();
      }),
    tell: (taskId: string, state: string, details: string, step = 0) => {
      const data = { taskId, step, maxSteps: 10, details };
      const event = { actor: 'navigator', state, type: 'execution', timestamp: Date.now(), data };
      send({ type: 'execution_event', taskId, event });
    },
  };
}

function trustOrder(value: object): { taskId: string; prompt: string; metadata: Record<string, unknown> } {
  return value as { taskId: string; prompt: string; metadata: Record<string, unknown> };
}
