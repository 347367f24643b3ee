import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectWebSocket } from '@drawbridge/link';
import { connectChat, type Outgoing } from '@drawbridge/link/chat';
import { bridge, type Question } from '@drawbridge/protocol';
import { startRelay } from '@drawbridge/relay';
import type { Pairing } from '../../src/wire.ts';

type Loose = Readonly<Record<string, unknown>>;

/** A real relay paired with a browser, a lent tab that asks, and another agent that asks too. */
export interface AskingRelay extends AsyncDisposable {
  readonly pairing: Pairing;
  readonly ask: (fields?: Partial<Question>) => void;
  /** The tab asks about a call of an agent that came by itself. */
  readonly askForAgent: () => Promise<void>;
  readonly askElsewhere: () => void;
  /** Resolves with the decision on the tab's next question, and its reason. */
  readonly decided: () => Promise<string>;
}

const QUESTION = {
  question_id: 'q1',
  call_id: 'c1',
  origin: 'https://shop.example',
  name: 'element.click',
  effect: 'irreversible',
  sentence: 'element.click on “Pay 49 €” at https://shop.example. This can’t be undone.',
  data: ['"id": "7"', '"card": "ending 42"', '"amount": "49 €"'],
  call_hash: 'hash',
  timeout_ms: 600_000,
};

/** One pixel. */
const PICTURE = {
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ...{ mime_type: 'image/png', width: 1, height: 1, scale: 1 },
};

export async function startAskingRelay(): Promise<AskingRelay> {
  const data = await mkdtemp(join(tmpdir(), 'panel-relay-'));
  const relay = await startRelay({ port: 0, data });
  const sockets = relay.url.replace('http', 'ws');
  const mint = (roles: readonly ('person' | 'runtime' | 'proxy' | 'agent')[], label: string) =>
    relay.devices.mint({ roles: [...roles], label, by: 'machine' });
  const { token, device } = await mint(['person', 'runtime'], 'Chrome on Linux');
  const proxy = connectChat({
    url: `${sockets}/ws/chat`,
    token: (await mint(['proxy'], 'studio')).token,
    peer_role: 'proxy',
    client_name: 'test',
  });
  await new Promise<void>((resolve) => proxy.onState(({ kind }) => kind === 'open' && resolve()));
  const say = (frame: Loose): void => proxy.send(trustOutgoing(frame));
  const session = (session_id: string, display_name: string, more: Loose = {}) => ({
    session_id,
    agent_type: 'unknown',
    status: 'healthy',
    display_name,
    ...more,
  });
  const own = { agent_name: 'drawbridge' };
  say({
    type: 'proxy_session_snapshot',
    sessions: [
      session('other', 'codex-shop'),
      session('talk_1', 'shop.example: Order the Arc desk lamp', own),
      session('talk_2', 'shop.example: Compare two lamps', own),
      session('talk_3', 'travel.example: Find a train to Basel', own),
    ],
  });

  const tab = connectWebSocket({ url: `${sockets}/ws/runtime`, token });
  const decisions: ((decision: string) => void)[] = [];
  const runtime_id = 'tab_7';
  tab.onItem((item) => {
    if (item.type === 'grant_answer')
      decisions.shift()?.([item.decision, item.reason].filter(Boolean).join(': '));
    if (item.type !== 'action_call' || item.name !== 'browser.screenshot') return;
    const { call_id } = item;
    tab.send(bridge.read({ type: 'action_call_output', runtime_id, call_id, output: PICTURE }));
  });
  const ask: AskingRelay['ask'] = (fields = {}) =>
    tab.send(bridge.read({ type: 'grant_question', runtime_id, question: { ...QUESTION, ...fields } }));
  const agent = connectWebSocket({
    url: `${sockets}/ws/agent`,
    token: (await mint(['agent'], 'Desk')).token,
  });
  const location = { url: 'https://shop.example/lamps/arc', title: 'Arc desk lamp – Shop' };
  tab.send(bridge.read({ type: 'runtime_ready', runtime_id, ...location, features: ['questions'] }));

  return {
    pairing: { url: relay.url, token, deviceId: device.device_id, name: 'Chrome on Linux' },
    ask,
    async askForAgent() {
      const call = { call_id: 'c1', runtime_id, name: 'element.click', arguments: { id: '7' } };
      const called = new Promise<void>((resolve) => {
        tab.onItem(({ type }) => type === 'action_call' && resolve());
      });
      agent.send(bridge.read({ type: 'action_call', ...call, client: 'codex' }));
      await called;
      ask();
    },
    askElsewhere: () =>
      say({
        type: 'permission_prompt',
        session_id: 'other',
        prompt_id: 'elsewhere',
        prompt_text: 'Run npm publish?',
        choices: [{ choice_id: 'deny', label: 'Deny', is_default: true, effect: 'deny' }],
        detected_at: new Date().toISOString(),
      }),
    decided: () => new Promise((resolve) => decisions.push(resolve)),
    async [Symbol.asyncDispose]() {
      proxy.close();
      agent.close();
      tab.close();
      await relay.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Tests give partial frames; the link validates them. */
const trustOutgoing = (frame: Loose): Outgoing => frame as unknown as Outgoing;
