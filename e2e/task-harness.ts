import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectWebSocket } from '@drawbridge/link';
import { type ChatEvent, connectChat } from '@drawbridge/link/chat';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { type Relay, type RelayOptions, type Role, startRelay } from '@drawbridge/relay';
import { createGrantBook, noMaps, ORDINARY_FORMS } from '@drawbridge/runtime';
import { type CdpBrowser, launchBrowser } from '@drawbridge/runtime/cdp';
import { type Connect, serveSurfaces, surfaceScript } from '@drawbridge/runtime/node';
import { pageChromiumPath, SHELL_FLAGS, type Shop, startShop } from '@drawbridge/testbed';
import { shopMap } from './browser-harness.ts';

/** A shop, a relay with its HTTP API, and a browser that joined it by WebSocket. */
export interface TaskHarness extends AsyncDisposable {
  readonly shop: Shop;
  /** The relay's data folder. */
  readonly data: string;
  /** The current relay. */
  readonly relay: () => Relay;
  /** Calls the tab as the relay would. */
  readonly tab: (name: string, args?: object) => Promise<Readonly<Record<string, unknown>>>;
  readonly api: (route: string, body?: object) => Promise<ApiAnswer>;
  /** Events of a task until its end, or until `until` returns true. */
  readonly follow: (task_id: string, until?: (told: TaskReport) => unknown) => Promise<readonly TaskReport[]>;
  /** A person's client, which decides on each prompt. */
  readonly person: (choose: (prompt: Prompt) => string | Promise<string>) => Promise<Person>;
  /** This browser's cart, as the shop stores it. */
  readonly cart: () => Promise<Readonly<Record<string, number>>>;
  /** Text of the first match on the open page. */
  readonly text: (selector: string) => Promise<string>;
  /** Stops the relay and starts another on the same folder and port. */
  readonly restart: () => Promise<void>;
}

/** The fields that these tests read. */
export interface TaskBody {
  readonly task_id: string;
  readonly session_id: string;
  readonly state: string;
  readonly steps: number;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly message?: string;
  readonly question?: string;
  readonly note?: string;
  readonly result?: unknown;
  readonly runs_on?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: TaskBody;
}

export interface TaskReport {
  readonly event: string;
  /** A task in `state` and `end`; otherwise a line of its session. */
  readonly data: TaskBody & { readonly text?: string; readonly details?: { readonly status?: string } };
}

export type Prompt = Extract<ChatEvent, { readonly type: 'permission_prompt' }>;

export interface Person {
  readonly prompts: readonly Prompt[];
  readonly sendMessage: (session_id: string, content: string) => void;
  readonly close: () => void;
}

export interface TaskHarnessOptions {
  /** Environment with the models' keys; empty by default. */
  readonly env?: RelayOptions['env'];
  readonly open?: (script: () => Promise<string>) => Promise<CdpBrowser>;
  /** Whether the shop's map is available. */
  readonly withMap?: boolean;
  readonly taskClients?: boolean;
  /** Permits ordinary forms of the shop. */
  readonly ownShop?: boolean;
}

const launch = (script: () => Promise<string>): Promise<CdpBrowser> =>
  launchBrowser({
    executable: pageChromiumPath(),
    headless: true,
    args: [...SHELL_FLAGS, '--window-size=1280,1100'],
    // Treats every address of the tests as opened by the person.
    localNetwork: { isOpen: () => true, open: () => {}, notePrivate: () => {} },
    script,
  });

export async function startTaskHarness({
  env = {},
  open = launch,
  withMap = true,
  taskClients = false,
  ownShop = false,
}: TaskHarnessOptions = {}): Promise<TaskHarness> {
  const closing = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-tasks-'));
  closing.defer(() => rm(data, { recursive: true, force: true }));
  const shop = await startShop();
  closing.defer(() => shop.close());
  let relay = await startRelay({ data, port: 0, env, taskClients });
  closing.defer(() => relay.close());
  const mint = async (role: Role) =>
    (await relay.devices.mint({ roles: [role], label: `A ${role}`, by: 'machine' })).token;
  const browser = await open(async () => (await surfaceScript()).code);
  closing.defer(() => browser.close());
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  closing.defer(() => evaluator.close());
  const socketUrl = (path: string) => `${relay.url.replace('http', 'ws')}${path}`;
  const runtimeToken = await mint('runtime');
  const connect: Connect = (receive, announce) => {
    const link = connectWebSocket({ url: socketUrl('/ws/runtime'), token: runtimeToken });
    link.onItem(receive);
    link.onState((state) => state.kind === 'open' && !state.resumed && announce());
    return { send: link.send, close: () => link.close() };
  };
  const grants = createGrantBook({ now: Date.now, newId: randomUUID });
  // As `drawbridge up --shop` does.
  if (ownShop)
    grants.add({ origin: shop.url, covers: { name: ORDINARY_FORMS, effect: 'act' }, by: 'the test' });
  const surfaces = serveSurfaces({
    source: browser,
    connect,
    maps: withMap ? shopMap(shop.url) : noMaps,
    grants,
    evaluator,
    by: 'the test',
  });
  closing.defer(() => surfaces.close());
  await joined(relay);

  const token = await mint('owner');
  const tab: TaskHarness['tab'] = async (name, args = {}) =>
    trustObject(await relay.bridge.call({ name, arguments: { ...args } }).output);
  const api: TaskHarness['api'] = async (route, body) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(`${relay.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: trustTask(await response.text()) };
  };
  return {
    ...{ shop, data, tab, api },
    relay: () => relay,
    async follow(task_id, until = () => false) {
      const all: TaskReport[] = [];
      const gone = new AbortController();
      const response = await fetch(`${relay.url}/api/tasks/${task_id}/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: gone.signal,
      });
      for await (const told of eventsIn(response)) {
        all.push(told);
        if (await until(told)) break;
      }
      gone.abort();
      return all;
    },
    async person(choose) {
      const chat = connectChat({
        ...{ url: socketUrl('/ws/chat'), token: await mint('person') },
        ...{ peer_role: 'browser', client_name: 'test' },
      });
      const prompts: Prompt[] = [];
      const answer = async (prompt: Prompt): Promise<void> => {
        prompts.push(prompt);
        const { session_id, prompt_id } = prompt;
        const choice_id = await choose(prompt);
        // The link may be closed before the answer is stored.
        await chat
          .request({ type: 'permission_response', session_id, prompt_id, choice_id })
          .catch(() => undefined);
      };
      chat.onEvent((event) => event.type === 'permission_prompt' && void answer(event));
      await new Promise<void>((resolve) => {
        const look = () => chat.state.kind === 'open' && resolve();
        chat.onState(look);
        look();
      });
      return {
        prompts,
        sendMessage: (session_id, content) => chat.sendMessage({ session_id, content }),
        close: () => chat.close(),
      };
    },
    async cart() {
      await tab('browser.navigate', { url: `${shop.url}/api/cart` });
      const { text } = await tab('locator.text_content', { locator: { selector: 'body' } });
      return parseCart(String(text));
    },
    text: async (selector) => String((await tab('locator.text_content', { locator: { selector } }))['text']),
    async restart() {
      const { port } = relay;
      await relay.close();
      relay = await startRelay({ data, port, env, taskClients });
      await joined(relay);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Resolves when the tab has joined. */
function joined({ bridge }: Relay): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (bridge.runtimes().length === 0) return;
      stop();
      resolve();
    };
    const stop = bridge.watch(look);
    look();
  });
}

async function* eventsIn({ body }: Response): AsyncGenerator<TaskReport> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data = ''] = /^data: (.*)$/m.exec(block) ?? [];
      if (event !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

/** Comes from our own relay: its shape is not checked again. */
function trustTask(text: string): TaskBody {
  return JSON.parse(text);
}

function trustObject(value: unknown): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

function parseCart(text: string): Readonly<Record<string, number>> {
  const { lines } = JSON.parse(text) as { lines: { product: { id: string }; quantity: number }[] };
  return Object.fromEntries(lines.map(({ product, quantity }) => [product.id, quantity]));
}
