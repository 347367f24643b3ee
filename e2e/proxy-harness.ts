import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  AgentProxy,
  createAcpAdapter,
  customProfile,
  openStateFile,
  openWorkspaces,
  type ProxyEvent,
  tabLender,
} from '@drawbridge/proxy';
import { type ScriptedAgentOptions, scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import {
  type FrameOf,
  startTestRelay,
  type TestDevice,
  type TestPeer,
  type TestRelay,
  type TestRelayOptions,
  temporaryFolder,
} from '@drawbridge/relay/test/server/test-relay';
import { onTestFinished } from 'vitest';

export interface ProxyHarnessOptions {
  readonly agent?: Partial<ScriptedAgentOptions>;
  readonly launchMs?: number;
  readonly promptTimeoutMs?: number;
  /** Address at which the proxy reaches the relay, if not its own. */
  readonly via?: string;
  /** An object that receives the relay's port. */
  readonly target?: { port: number };
  readonly ledger?: TestRelayOptions['ledger'];
  readonly web?: TestRelayOptions['web'];
  readonly notices?: TestRelayOptions['notices'];
}

const MCP_COMMAND = [
  process.execPath,
  join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs'),
  'mcp',
] as const;

type Launch = Pick<
  FrameOf<'launch_session'>,
  'agent_type' | 'workspace_path' | 'window_title' | 'browser' | 'browser_origins'
>;

/** A relay, a proxy with scripted agents, and a person, over real sockets. */
export async function startProxyHarness(options: ProxyHarnessOptions = {}) {
  const folder = await realpath(await temporaryFolder());
  const relay = await startTestRelay({
    ...(options.via !== undefined && { hosts: [options.via] }),
    ...(options.ledger && { ledger: options.ledger }),
    ...(options.web && { web: options.web }),
    ...(options.notices && { notices: options.notices }),
  });
  if (options.target !== undefined) options.target.port = Number(new URL(relay.url).port);
  const person = await relay.connect('person', { features: ['questions', 'prompt_answered'] });
  const device = await relay.mint('proxy');
  const agent = scriptedAgent({ log: join(folder, 'log'), home: join(folder, 'home'), ...options.agent });
  const harness = { folder, relay, person, device, agent };
  const started = await startProxy(harness, options);
  return { ...harness, ...started };
}

interface ProxyHarness {
  readonly folder: string;
  readonly relay: TestRelay;
  readonly device: TestDevice;
  readonly agent: ReturnType<typeof scriptedAgent>;
}

export async function startProxy(
  harness: ProxyHarness,
  options: ProxyHarnessOptions = {},
  file = 'proxy.db',
) {
  const { folder, relay, device, agent } = harness;
  const workspaces = openWorkspaces([folder]);
  const events: ProxyEvent[] = [];
  const waiting = new Set<() => void>();
  const means = { ...systemClock, newId: randomUUID };
  const adapterOf = (name: string, command: readonly [string, ...string[]]) =>
    createAcpAdapter({
      ...means,
      profile: { ...customProfile(name, command), env: agent.env },
      workspaces: workspaces.all,
      attachments: join(folder, 'attachments'),
      promptTimeoutMs: options.promptTimeoutMs,
      lend: { ...tabLender({ url: relay.url, token: device.token }), server: MCP_COMMAND },
    });
  const state = openStateFile(join(folder, file), Date.now);
  const proxy = await AgentProxy.start({
    ...means,
    url: options.via === undefined ? relay.url : `http://${options.via}`,
    token: device.token,
    machine_label: 'studio',
    adapters: [adapterOf('scripted', agent.command), adapterOf('missing', ['no-such-program-here'])],
    workspaces,
    state,
    onEvent: (event) => {
      events.push(event);
      for (const look of [...waiting]) look();
    },
    ...(options.launchMs !== undefined && { launchMs: options.launchMs }),
  });
  const close = async (): Promise<void> => {
    await proxy.close();
    state.close();
  };
  onTestFinished(close);
  const until = (fits: (event: ProxyEvent) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!events.some(fits)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  await until((event) => event.event === 'relay' && event.state === 'open');
  return { proxy, state, events, until, close };
}

let ids = 0;
const fresh = (kind: string): string => {
  ids += 1;
  return `${kind}_${ids}`;
};

export async function launch(person: TestPeer, wish: Partial<Launch> = {}): Promise<string> {
  const request_id = fresh('launch');
  person.send({ type: 'launch_session', request_id, agent_type: 'scripted', ...wish });
  const { session_id } = await person.next('session_launch_ack');
  return session_id;
}

export function send(
  person: TestPeer,
  session_id: string,
  content: string,
  attachments?: readonly object[],
): string {
  const client_message_id = fresh('message');
  const created_at = new Date().toISOString();
  person.send({
    type: 'send_message',
    session_id,
    client_message_id,
    content,
    created_at,
    ...(attachments && { attachments }),
  });
  return client_message_id;
}

/** The first matching message that was not yet consumed. */
export async function message(person: TestPeer, fits: (content: string) => boolean) {
  for (;;) {
    const { message: found } = await person.next('message_event');
    if (fits(found.content)) return found;
  }
}

export async function activity(person: TestPeer, kind: string): Promise<void> {
  for (;;) {
    const frame = await person.next('session_status');
    if (frame.activity?.kind === kind) return;
  }
}

export function command(person: TestPeer, frame: { readonly type: string; readonly [key: string]: unknown }) {
  const request_id = fresh('request');
  person.send({ request_id, ...frame });
  return person.next('agent_control_result');
}
