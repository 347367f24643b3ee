import { createBridge, errorItem } from '@drawbridge/bridge';
import {
  type ActionCall,
  type ActionCancel,
  type ActionProgress,
  BridgeError,
  type RuntimeReady,
} from '@drawbridge/protocol';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { McpOptions } from '../src/mcp-connection.ts';
import { serveStdio } from '../src/stdio.ts';

/** Both MCP revisions: with a handshake, and with an envelope on each request. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

export interface Running {
  readonly progress: (progress: Pick<ActionProgress, 'step' | 'message' | 'progress' | 'total'>) => void;
  /** Resolves with the reason when the bridge cancels the call. */
  readonly cancelled: Promise<string | undefined>;
}

export type Answers = Readonly<Record<string, (args: ActionCall['arguments'], running: Running) => unknown>>;

export interface TestTab {
  readonly calls: ActionCall[];
  readonly event: (name: string, payload: unknown) => void;
  /** Announces the runtime again. */
  readonly announce: (ready: Partial<RuntimeReady>) => void;
  readonly close: () => void;
}

export function startBridge() {
  const bridge = createBridge({
    clock: {
      now: Date.now,
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    ids: () => crypto.randomUUID(),
  });
  onTestFinished(() => bridge.close());
  return bridge;
}

type TestBridge = ReturnType<typeof startBridge>;

/** A local runtime on the real bridge, with answers by name from a table. */
export function lendTab(
  bridge: TestBridge,
  answers: Answers = {},
  ready: Partial<RuntimeReady> = {},
): TestTab {
  const calls: ActionCall[] = [];
  const cancels = new Map<string, (reason: string | undefined) => void>();
  const runtime_id = ready.runtime_id ?? 'r1';
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type === 'action_call') void answer(item);
      if (isCancel(item)) cancels.get(item.call_id)?.(item.reason);
    },
  });
  const answer = async (call: ActionCall) => {
    const { call_id, name } = call;
    calls.push(call);
    const cancelled = new Promise<string | undefined>((resolve) => cancels.set(call_id, resolve));
    const running: Running = {
      progress: (progress) =>
        connection.receive({ type: 'action_progress', call_id, runtime_id, ...progress }),
      cancelled,
    };
    try {
      const handler = answers[name];
      if (handler === undefined) throw new BridgeError('unknown_action', `There is no ${name}.`);
      const output = await handler(call.arguments, running);
      connection.receive({ type: 'action_call_output', call_id, runtime_id, output: output ?? null });
    } catch (error) {
      const known = error instanceof BridgeError ? error : new BridgeError('handler_failed', String(error));
      connection.receive(errorItem(known, { call_id, runtime_id }));
    }
  };
  const announce = (fields: Partial<RuntimeReady>) =>
    connection.receive({
      type: 'runtime_ready',
      runtime_id,
      url: 'https://shop.example/lamps?token=abc',
      title: 'Lamps',
      capabilities: Object.keys(answers),
      features: ['action_cancel', 'action_progress'],
      ...ready,
      ...fields,
    });
  announce({});
  return {
    calls,
    announce,
    event: (name, payload) =>
      connection.receive({ type: 'dom_event', event_id: crypto.randomUUID(), runtime_id, name, payload }),
    close: () => connection.close('the tab was closed'),
  };
}

const isCancel = (item: { readonly type: string }): item is ActionCancel => item.type === 'action_cancel';

export interface TestClientOptions extends Partial<McpOptions> {
  readonly era?: Era;
  readonly client?: ClientOptions;
}

/** The official client over memory, connected to `serveStdio`. */
export async function connectClient(
  bridge: TestBridge,
  { era = '2025-11-25', client: clientOptions, ...options }: TestClientOptions = {},
): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const serving = serveStdio({ bridge, ...options }, { transport: ours });
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { ...clientOptions, versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    await serving.close();
  });
  return client;
}

export async function callForText(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  return { text, isError: isError === true };
}

/** The answer of a page action, as page code writes it. */
export const acted = (effect: object = {}, fields: object = {}) => ({
  action: 'click',
  fidelity: 'trusted',
  verification_passed: true,
  verification_message: 'ok',
  errors_detected: [],
  success_messages: [],
  clientObservations: { didNetworkOccur: false, didDomMutate: true, didUrlChange: false },
  effect: {
    happened: true,
    added: [],
    removed: [],
    changed: [],
    dialogs: [],
    requests: 0,
    errors: [],
    successes: [],
    messages: [],
    settled: 'stable',
    ...effect,
  },
  ...fields,
});

/** The answer of a snapshot. */
export const seen = (nodes: readonly object[], fields: object = {}) => ({
  mode: 'semantic',
  snapshot_id: 's1',
  hash: 'h',
  page: {
    mode: 'semantic',
    url: 'https://shop.example/lamps',
    title: 'Lamps',
    interactive_tree: nodes,
  },
  context: [],
  frames: [],
  text: '',
  ...fields,
});

export const LAMP = { i: '12', r: 'link', n: 'Dusk table lamp', xy: [412, 300] };
