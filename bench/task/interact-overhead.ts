import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RelayOptions, startRelay } from '@drawbridge/relay';
import { percentileOf } from '../relay/percentile.ts';

export interface Overhead {
  readonly name: string;
  readonly median: number;
  readonly high: number;
}

type Brain = NonNullable<ReturnType<NonNullable<RelayOptions['brain']>>>;

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

/** Decides at once, so that the rest of a call is the relay's overhead. */
const INSTANT: Brain = {
  name: 'instant',
  step: async ({ now, memory }) => ({
    memory: { ...memory, spent: { ...NOTHING, steps: 1, began: now } },
    answer: { thought: 'On.', action: 'click("1")', actionDetails: { name: 'click', elementId: 1 } },
    usage: NOTHING,
  }),
};

/** Steps of tasks over HTTP on a real disk, beside a call that decides and stores nothing. */
export async function measureInteract(calls: number, elements: number): Promise<Overhead[]> {
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-bench-interact-'));
  const limits = { interact_calls_per_minute: 1e9 };
  const relay = await startRelay({ data, port: 0, brain: () => INSTANT, limits, env: {} });
  try {
    const { token } = await relay.devices.mint({ roles: ['owner'], label: 'Bench', by: 'machine' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const ask = async (path: string, body?: object): Promise<Response> => {
      const response = await fetch(`${relay.url}${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    };
    const first = await ask('/api/agent/interact', requestOf(elements, 0));
    const { taskId, sessionId } = trustBegun(await first.text());
    let step = 0;
    const interact = () =>
      ask('/api/agent/interact', {
        ...requestOf(elements, ++step),
        taskId,
        sessionId,
        lastActionStatus: 'success',
      });
    const bare = () => ask('/api/me');
    return [
      await timed(`POST /api/agent/interact, ${elements} elements`, interact, calls),
      await timed('GET /api/me: signed in, nothing stored', bare, calls),
    ];
  } finally {
    await relay.close();
    await rm(data, { recursive: true, force: true });
  }
}

function trustBegun(text: string): { readonly taskId: string; readonly sessionId: string } {
  return JSON.parse(text).data;
}

function requestOf(elements: number, step: number): object {
  const interactiveTree = Array.from({ length: elements }, (_, index) => ({
    ...{ i: `${index + 1}`, r: index % 3 === 0 ? 'btn' : 'link', n: `Element ${index} of step ${step}` },
    xy: [index % 1000, (index * 7) % 700],
  }));
  return {
    ...{ url: 'https://shop.example/lamps', query: 'Buy a lamp', domMode: 'semantic', interactiveTree },
    ...{ pageTitle: 'Lamps', viewport: { width: 1280, height: 720 } },
  };
}

async function timed(name: string, call: () => Promise<Response>, calls: number): Promise<Overhead> {
  const times: number[] = [];
  for (let i = 0; i < calls + WARM_UP; i++) {
    const started = performance.now();
    await (await call()).arrayBuffer();
    if (i >= WARM_UP) times.push(performance.now() - started);
  }
  return { name, median: percentileOf(times, 50), high: percentileOf(times, 90) };
}

const WARM_UP = 20;
