import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSeededRandom, scriptedAgent } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestPeer, temporaryFolder } from '../packages/relay/src/server/server.suite.ts';
import { launch, send } from './proxy.suite.ts';
import type { ProgramOrder } from './proxy-program.suite.ts';

const KILLS = Number(process.env['DRAWBRIDGE_PROXY_KILLS'] ?? 20);
const SEED = Number(process.env['DRAWBRIDGE_PROXY_SEED'] ?? 1);
const SENDS = 2;
const PROGRAM = fileURLToPath(new URL('./proxy-program.suite.ts', import.meta.url));

type Outcome = 'delivered' | 'failed' | 'delivery_unknown';

/** What became of each send, as the person sees it. */
function outcomesOf({ frames }: TestPeer): ReadonlyMap<string, readonly Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  for (const frame of frames) {
    if (frame.type !== 'message_delivered' && frame.type !== 'message_failed') continue;
    const isUnknown = frame.type === 'message_failed' && frame.error.code === 'delivery_unknown';
    const outcome = isUnknown ? 'delivery_unknown' : frame.status;
    outcomes.set(frame.client_message_id, [...(outcomes.get(frame.client_message_id) ?? []), outcome]);
  }
  return outcomes;
}

function startProgram(order: ProgramOrder, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(order)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const events: { readonly event: string; readonly state?: string }[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line));
    for (const look of [...waiting]) look();
  });
  const line = (event: string, state?: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!events.some((each) => each.event === event && (state === undefined || each.state === state)))
          return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { child, line };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

test(
  `[CHT-161] [CHT-160] a proxy or an agent, killed ${KILLS} times while a message is injected, doubles nothing and loses nothing`,
  async () => {
    const random = createSeededRandom(SEED);
    const folder = await realpath(await temporaryFolder());
    const relay = await startTestRelay();
    const person = await relay.connect('person');
    const device = await relay.mint('proxy');
    const agent = scriptedAgent({ log: join(folder, 'log'), home: join(folder, 'home') });
    const start = () => {
      const { command } = agent;
      const program = startProgram({ url: relay.url, token: device.token, folder, command }, agent.env);
      onTestFinished(() => end(program.child, 'SIGKILL'));
      return program;
    };
    /** By the agent's own record, which it makes before it answers anything. */
    const taking = async (before: number): Promise<void> => {
      while (agent.taken().length <= before) await passed(2);
    };

    const first = start();
    await first.line('relay', 'open');
    const session_id = await launch(person);
    const texts = new Map<string, string>();
    const say = (): void => {
      const text = `say message ${texts.size}`;
      texts.set(send(person, session_id, text), text);
    };
    let program = first;
    let agents = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = agent.taken().length;
      for (let n = 0; n < SENDS; n += 1) say();
      const moment = random.pick(['at once', 'taken', 'taken', 'delivered'] as const);
      if (moment === 'taken') await taking(before);
      if (moment === 'delivered') await program.line('delivery');
      await passed(random.int(0, 3));
      const pid = agent.taken().at(-1)?.pid;
      if (moment === 'taken' && pid !== undefined && random.chance(0.3)) {
        process.kill(pid, 'SIGKILL');
        agents += 1;
        continue;
      }
      await end(program.child, 'SIGKILL');
      program = start();
      await program.line('relay', 'open');
    }
    say();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (outcomesOf(person).size === texts.size) resolve();
      };
      person.socket.on('message', look);
      look();
    });
    await end(program.child, 'SIGKILL');

    const outcomes = outcomesOf(person);
    const counts = { delivered: 0, failed: 0, delivery_unknown: 0 };
    const taken = agent.taken().map(({ text }) => text);
    expect(new Set(taken).size, 'no message was injected twice').toBe(taken.length);
    for (const [id, text] of texts) {
      const [outcome, ...others] = outcomes.get(id) ?? [];
      expect(others, `${text} has one outcome`).toEqual([]);
      if (outcome === undefined) throw new Error(`${text} was lost.`);
      counts[outcome] += 1;
      if (outcome === 'delivered') expect(taken, 'what was delivered is there').toContain(text);
      if (outcome === 'failed') expect(taken, 'what failed is not').not.toContain(text);
    }
    console.log(
      `${KILLS} kills (${agents} of the agent), ${texts.size} sends, seed ${SEED}: ${JSON.stringify(counts)}`,
    );
    expect(counts.delivered).toBeGreaterThan(0);
  },
  60_000 + KILLS * 5_000,
);
