import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { launchChromium, startPanelTwins } from '@drawbridge/testbed';
import { startChild } from '../relay/child.ts';
import { percentileOf } from '../relay/percentile.ts';
import { startRelay } from '../relay/relay-bench.ts';
import { measureRawPanel } from './floor.ts';
import { connectPerson, exactNow, type RoundTrip, timeSends } from './person.ts';
import type { ProxyCalls, ProxyInput } from './proxy-program.ts';
import type { Watching } from './report.ts';

const CLAUDE = join(import.meta.dirname, '../../maps/agents/claude/actions.json');
const WATCHED = 20;

/** Starts a relay and a proxy in child processes, with a person in this one. */
async function setUp(folder: string, agents: Pick<ProxyInput, 'command' | 'env' | 'maps' | 'endpoint'>) {
  await mkdir(folder, { recursive: true });
  const relay = await startRelay({ data: join(folder, 'relay') });
  const { url } = await relay.call('place', undefined);
  const [personToken = '', token = ''] = await relay.call('mint', [{ role: 'person' }, { role: 'proxy' }]);
  const person = connectPerson(url, personToken);
  const seen = new Set<string>();
  person.onEvent((event) => event.type === 'session_up' && seen.add(event.session.session_id));
  const input: ProxyInput = { url, token, folder, ...agents };
  const proxy = await startChild<ProxyCalls>('./proxy-program.ts', input);
  const close = async (): Promise<void> => {
    person.close();
    await proxy.end();
    await relay.end();
  };
  return { person, proxy, seen, close };
}

export async function measureAcp(folder: string, sends: number): Promise<readonly RoundTrip[]> {
  const agent = scriptedAgent({ log: join(folder, 'acp', 'log') });
  const { person, proxy, close } = await setUp(join(folder, 'acp'), agent);
  try {
    const opened = Promise.withResolvers<void>();
    person.onState(({ kind }) => kind === 'open' && opened.resolve());
    if (person.state.kind !== 'open') await opened.promise;
    const { session_id } = await launched(person);
    const takenAt = (text: string) => agent.taken().find((each) => each.text === text)?.at;
    return await timeSends(person, proxy, session_id, sends, takenAt);
  } finally {
    await close();
  }
}

/** The proxy sends its hello after discovery; before that no agent can be launched there. */
async function launched(person: ReturnType<typeof connectPerson>) {
  for (;;) {
    try {
      return await person.request({ type: 'launch_session', agent_type: 'scripted' });
    } catch {
      await setTimeout(100);
    }
  }
}

export interface PanelFigures {
  readonly journeys: readonly RoundTrip[];
  /** One raw write and press, p50. */
  readonly rawMs: number;
  readonly watching: readonly Watching[];
}

export async function measurePanels(folder: string, sends: number, seconds: number): Promise<PanelFigures> {
  const taken = new Map<string, number>();
  const [chromium, twins] = await Promise.all([
    launchChromium({ args: ['--remote-debugging-port=0'] }),
    startPanelTwins({ onEntry: (_, { kind, text }) => kind === 'sent' && taken.set(text, exactNow()) }),
  ]);
  const ports = await readFile(join(chromium.userDataDir, 'DevToolsActivePort'), 'utf8');
  const endpoint = `http://127.0.0.1:${ports.split('\n')[0]}`;
  const show = async (id: string): Promise<void> => {
    const page = await chromium.context.newPage();
    await page.goto(twins.webview('claude', { id }));
  };
  const panels = { maps: [CLAUDE], endpoint };
  try {
    console.error('  no panel …');
    const none = await watch(await setUp(join(folder, 'none'), panels), 0, seconds);
    console.error('  a panel by raw CDP …');
    await show('raw');
    const rawMs = percentileOf(await measureRawPanel(endpoint, 'id=raw', sends), 50);
    await chromium.context.pages().at(-1)?.close();
    console.error('  a panel …');
    await show('first');
    const one = await setUp(join(folder, 'one'), panels);
    const session_id = await sessionsOf(one.seen, 1);
    const journeys = await timeSends(one.person, one.proxy, session_id, sends, (text) => taken.get(text));
    await one.close();
    console.error(`  ${WATCHED} panels …`);
    for (let n = 1; n < WATCHED; n += 1) await show(`more${n}`);
    const many = await watch(await setUp(join(folder, 'many'), panels), WATCHED, seconds);
    return { journeys, rawMs, watching: [none, many] };
  } finally {
    await chromium.close();
    await twins.close();
  }
}

/** Waits until the person sees `count` sessions and returns one of them. */
async function sessionsOf(seen: ReadonlySet<string>, count: number): Promise<string> {
  while (seen.size < count) await setTimeout(50);
  return [...seen][0] ?? '';
}

async function watch(
  { proxy, seen, close }: Awaited<ReturnType<typeof setUp>>,
  panels: number,
  seconds: number,
): Promise<Watching> {
  await sessionsOf(seen, panels);
  // The initial discovery is not part of watching.
  await setTimeout(3_000);
  await proxy.call('figures', undefined);
  const began = performance.now();
  await setTimeout(seconds * 1_000);
  const { held, cpuMs } = await proxy.call('figures', undefined);
  await close();
  return { panels, seconds: (performance.now() - began) / 1_000, cpuMs, held };
}
