import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChatLink, connectChat } from '@drawbridge/link/chat';
import type { ChatFeature } from '@drawbridge/protocol';
import { temporaryFolder } from '@drawbridge/relay/test/server/test-relay';
import { expect, onTestFinished } from 'vitest';
import type { ProgramOrder } from './proxy-program.ts';
import type { RelayOrder } from './proxy-relay.ts';

export const KILLS = Number(process.env['DRAWBRIDGE_PROXY_KILLS'] ?? 5);
export const SEED = Number(process.env['DRAWBRIDGE_PROXY_SEED'] ?? 1);
/** Share of kills in panels, each of which takes longer. */
export const PANEL_KILLS = Math.round(KILLS * 0.3);

export const passed = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

interface Line {
  readonly event: string;
  readonly state?: string;
  readonly port?: number;
  readonly tokens?: readonly string[];
}

/** A process that prints an event per line until it is killed. */
interface Program {
  /** The next matching line that was not yet consumed. */
  readonly next: (event: string, state?: string) => Promise<Line>;
  readonly has: (event: string) => boolean;
  /** Drops the lines so far. */
  readonly skip: () => void;
  readonly kill: () => Promise<void>;
}

/**
 * Loads each process during the life of its predecessor, since loading takes longer than most of their lives.
 */
function createPrograms(file: string, env: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const load = () => {
    const child = spawn(process.execPath, [path], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  let spare = load();
  return (order: object): Program => {
    const child = spare;
    child.stdin.write(JSON.stringify(order));
    spare = load();
    return follow(child);
  };
}

function follow(child: ChildProcessByStdio<Writable, Readable, null>): Program {
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of [...waiting]) look();
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    kill,
    has: (event) => lines.some((line) => line.event === event),
    skip: () => void lines.splice(0),
    next: (event, state) =>
      new Promise((resolve) => {
        const look = (): void => {
          const at = lines.findIndex(
            (line) => line.event === event && (state === undefined || line.state === state),
          );
          const line = lines[at];
          if (line === undefined) return;
          lines.splice(0, at + 1);
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A relay and a proxy in child processes, and a person whose client reconnects. */
export async function startKillHarness(
  agents: (folder: string) => {
    readonly agents: ProgramOrder['agents'];
    readonly env?: Record<string, string>;
    readonly maxUnsentChars?: number;
  },
  features: readonly ChatFeature[] = [],
) {
  const folder = await realpath(await temporaryFolder());
  const data = join(folder, 'relay');
  const relays = createPrograms('./proxy-relay.ts');
  const relayOf = (order: Partial<RelayOrder>) => relays({ data, port: 0, mint: [], ...order });
  let relay = relayOf({ mint: ['person', 'proxy', 'runtime'] });
  const { port = 0, tokens: [personToken = '', token = '', runtimeToken = ''] = [] } =
    await relay.next('listening');
  const url = `http://127.0.0.1:${port}`;
  const { env, ...order } = agents(folder);
  const proxies = createPrograms('./proxy-program.ts', env);
  const proxyNow = () => proxies({ url, token, folder, ...order });
  let proxy = proxyNow();
  const person = connectChat({
    url: `ws://127.0.0.1:${port}/ws/chat`,
    token: personToken,
    peer_role: 'browser',
    client_name: 'test',
    features,
    backoff: { minMs: 20, maxMs: 200 },
  });
  onTestFinished(person.close);
  const outcomes = gatherOutcomes(person);
  await proxy.next('relay', 'open');
  return {
    url,
    tokens: { person: personToken, runtime: runtimeToken },
    person,
    outcomes,
    get proxy() {
      return proxy;
    },
    async killProxy() {
      await proxy.kill();
      proxy = proxyNow();
      await proxy.next('relay', 'open');
    },
    /** `whileAway` runs while there is no relay. */
    async killRelay(whileAway = async (): Promise<void> => {}) {
      proxy.skip();
      await relay.kill();
      await whileAway();
      relay = relayOf({ port });
      await relay.next('listening');
      await proxy.next('relay', 'open');
    },
  };
}

type Outcome = 'delivered' | 'failed' | 'delivery_unknown';

/** Outcomes of each send, from the ledger's events. */
function gatherOutcomes(person: ChatLink): ReadonlyMap<string, readonly Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  person.onEvent((event) => {
    if (event.type !== 'message_delivered' && event.type !== 'message_failed') return;
    const isUnknown = event.type === 'message_failed' && event.error.code === 'delivery_unknown';
    const outcome = isUnknown ? 'delivery_unknown' : event.status;
    outcomes.set(event.client_message_id, [...(outcomes.get(event.client_message_id) ?? []), outcome]);
  });
  return outcomes;
}

/** Sends messages with unique texts, so that every recipient can be checked. */
export function createSender(
  person: ChatLink,
  session_id: string,
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
) {
  const texts = new Map<string, string>();
  const settled: Promise<unknown>[] = [];
  return {
    sendMessage(): void {
      const content = `say message ${texts.size}`;
      const { client_message_id, accepted, outcome } = person.sendMessage({ session_id, content });
      texts.set(client_message_id, content);
      settled.push(accepted, outcome);
    },
    /** Sends without an outcome. */
    open: (): number => texts.size - outcomes.size,
    /** Waits until it fits, or until nothing can change any more. */
    async until(fits: () => boolean): Promise<void> {
      while (!fits() && outcomes.size < texts.size) await passed(2);
    },
    /** Checks that nothing is lost, duplicated, reordered or swallowed. */
    async check(takenNow: () => readonly string[]) {
      await Promise.all(settled);
      while (outcomes.size < texts.size) await passed(10);
      const { problems, ...counts } = checkSends({ texts, outcomes, taken: takenNow() });
      expect(problems).toEqual([]);
      expect(counts.delivered).toBeGreaterThan(0);
      return counts;
    },
  };
}

export interface KillRun {
  /** Texts by client message id, in the order in which they were sent. */
  readonly texts: ReadonlyMap<string, string>;
  readonly outcomes: ReadonlyMap<string, readonly Outcome[]>;
  /** Texts that the agent recorded, in its order. */
  readonly taken: readonly string[];
}

/** Compares the sends and their outcomes with the agent's own record. */
export function checkSends({ texts, outcomes, taken }: KillRun) {
  const problems: string[] = [];
  const counts = { sends: texts.size, delivered: 0, failed: 0, delivery_unknown: 0 };
  for (const [id, text] of texts) {
    const all = outcomes.get(id) ?? [];
    const [outcome] = all;
    if (all.length > 1) problems.push(`doubled: ${text} has the outcomes ${all.join(', ')}`);
    if (outcome === undefined) {
      problems.push(`lost: ${text} has no outcome`);
      continue;
    }
    counts[outcome] += 1;
    const times = taken.filter((each) => each === text).length;
    if (times > 1) problems.push(`doubled: the agent has ${text} ${times} times`);
    if (outcome === 'delivered' && times === 0) problems.push(`swallowed: the agent does not have ${text}`);
    if (outcome === 'failed' && times > 0) problems.push(`failed: the agent has ${text}`);
  }
  const order = [...texts.values()];
  const indexes = taken.map((text) => order.indexOf(text));
  for (const [at, index] of indexes.entries()) {
    if (index === -1) problems.push(`foreign: nobody sent ${taken[at]}`);
    else if (index < (indexes[at - 1] ?? 0))
      problems.push(`reordered: ${taken[at]} follows ${taken[at - 1]}`);
  }
  return { ...counts, problems };
}
