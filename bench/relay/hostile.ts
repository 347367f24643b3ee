import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { printTable } from '../measure.ts';
import { startChild } from './child.ts';
import { announce, dial, greet, sendFrame } from './peer.ts';
import { percentileOf } from './percentile.ts';
import type { BenchPhase, RelayBench } from './relay-bench.ts';
import type { RelayCalls } from './relay-program.ts';

const PROGRAM = new URL(import.meta.resolve('@drawbridge/relay/test/server/quotas/hostile-program'));
const SESSION = 'session';
const SEND_EVERY_MS = 20;
const MB = 1_048_576;
/** Memory that one device may add to the relay. */
const MOST_MB = 256;
/** Limit for `loop_percent`, including the cost of reading and refusing. */
const MOST_LOOP_PERCENT = 30;

const ENDPOINTS = [
  ['chat', 'person'],
  ['proxy', 'proxy'],
  ['status', 'proxy'],
  ['snapshots', 'proxy'],
  ['runtime', 'runtime'],
  ['agent', 'agent'],
  ['polling', 'runtime'],
  ['mcp', 'agent'],
  ['tasks', 'agent'],
  ['credentials', 'agent'],
] as const;

/** A hostile device at each endpoint, beside a quiet run with a busy loop of the same priority. */
export const HOSTILE: RelayBench = { name: 'hostile', play };

interface Run {
  readonly acceptP99Ms: number;
  readonly approveP99Ms: number;
  readonly haltMs: number;
  readonly grownMb: number;
  readonly ledgerMb: number;
  /** CPU time of the socket thread in percent of one core, independent of other programs. */
  readonly loopPercent: number;
}

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const ms = quick ? 2_000 : 10_000;
  const figures: Figure[] = [];
  const rows: string[][] = [];
  for (const [endpoint, role] of ENDPOINTS) {
    const quiet = await run(join(folder, `quiet-${endpoint}`), 'spin', role, ms);
    const hostile = await run(join(folder, `hostile-${endpoint}`), endpoint, role, ms);
    rows.push([
      `${endpoint} (${role})`,
      ...[quiet, hostile].flatMap(({ acceptP99Ms, approveP99Ms, haltMs }) =>
        [acceptP99Ms, approveP99Ms, haltMs].map((each) => each.toFixed(1)),
      ),
      hostile.grownMb.toFixed(0),
      hostile.ledgerMb.toFixed(1),
      (hostile.loopPercent - quiet.loopPercent).toFixed(1),
    ]);
    figures.push(
      figure({
        id: `relay.hostile.${endpoint}`,
        what: `p99 of a person's accepts while a hostile device is at ${endpoint}`,
        ...{ unit: 'ms', better: 'less', ours: hostile.acceptP99Ms, must: { ratio: 3 } },
        beside: [{ name: 'the quiet run', value: quiet.acceptP99Ms }],
        how: `${ms / 1_000} s each; the hostile device and the spinning program at nice 19`,
      }),
      figure({
        id: `relay.hostile.${endpoint}.memory`,
        what: `memory that a hostile device at ${endpoint} makes the relay hold`,
        ...{ unit: 'MB', better: 'less', ours: hostile.grownMb, must: { value: MOST_MB } },
        how: 'resident memory after a collection, against before the attack',
      }),
      figure({
        id: `relay.hostile.${endpoint}.loop`,
        what: `processor time of the event loop that a hostile device at ${endpoint} takes`,
        ...{ unit: '%', better: 'less', ours: Math.max(0, hostile.loopPercent - quiet.loopPercent) },
        must: { value: MOST_LOOP_PERCENT },
        how: "the thread's own processor time in the hostile run, less that of the quiet one",
      }),
    );
  }
  printTable(
    [
      ...['', 'quiet: accept p99', 'approve p99', 'halt', 'hostile: accept p99', 'approve p99', 'halt'],
      ...['MB more', 'MB of ledger', '% of loop'],
    ],
    rows,
  );
  return figures;
}

async function run(
  data: string,
  endpoint: string,
  role: (typeof ENDPOINTS)[number][1],
  ms: number,
): Promise<Run> {
  const relay = await startChild<RelayCalls>('./relay-program.ts', { data });
  const { url } = await relay.call('place', undefined);
  const tokens = await relay.call('mint', [{ role: 'person' }, { role: 'proxy' }, { role }]);
  const [own = '', proxyToken = '', hostile = ''] = tokens;
  const proxy = await announce(url, proxyToken, [SESSION]);
  const person = await dial(url, own);
  await greet(person, 'browser');
  await measure(person, proxy, 1_000);
  const before = await relay.call('rss', undefined);
  const ledgerBefore = ledgerBytes(data);
  const attacker = await attack(url, endpoint, hostile);
  await relay.call('figures', undefined);
  const began = performance.now();
  const { accepts, approvals } = await measure(person, proxy, ms);
  const { ownCpuSeconds } = await relay.call('figures', undefined);
  const loopPercent = (ownCpuSeconds * 100_000) / (performance.now() - began);
  const haltMs = await halt(url, own, proxy);
  attacker.kill('SIGKILL');
  const after = await relay.call('rss', undefined);
  const ledgerMb = (ledgerBytes(data) - ledgerBefore) / MB;
  for (const socket of [person, proxy]) socket.terminate();
  await relay.end();
  return {
    acceptP99Ms: percentileOf(accepts, 99),
    approveP99Ms: percentileOf(approvals, 99),
    haltMs,
    grownMb: (after - before) / MB,
    ledgerMb,
    loopPercent,
  };
}

async function attack(url: string, endpoint: string, token: string): Promise<ChildProcess> {
  const child = fork(PROGRAM, [JSON.stringify({ url, token, endpoint })], { execArgv: [], stdio: 'ignore' });
  await once(child, 'message');
  return child;
}

let sent = 0;

/** A person sends and answers an agent's prompts, one after the other. */
async function measure(person: WebSocket, proxy: WebSocket, ms: number) {
  const accepts: number[] = [];
  const approvals: number[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    sent += 1;
    const created_at = '2026-01-01T00:00:00.000Z';
    const ids = { session_id: SESSION, client_message_id: `mine-${sent}` };
    const accepted = answered(person, '"type":"message_accepted"', ids.client_message_id);
    sendFrame(person, { type: 'send_message', ...ids, content: 'Go on.', created_at });
    accepts.push(await accepted);
    const prompt = { session_id: SESSION, prompt_id: `prompt-${sent}` };
    const asked = answered(person, '"type":"permission_prompt"', prompt.prompt_id);
    const choices = [{ choice_id: 'yes', label: 'Yes', is_default: true }];
    sendFrame(proxy, { type: 'permission_prompt', ...prompt, prompt_text: 'May I?', choices });
    await asked;
    const told = answered(proxy, '"type":"permission_response"', prompt.prompt_id);
    sendFrame(person, {
      type: 'permission_response',
      ...prompt,
      request_id: `answer-${sent}`,
      choice_id: 'yes',
    });
    approvals.push(await told);
    const command = 'permission_response';
    sendFrame(proxy, {
      ...{ type: 'agent_control_result', session_id: SESSION, request_id: `answer-${sent}` },
      ...{ command, result: 'ok' },
    });
    await new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS));
  }
  return { accepts, approvals };
}

/** Milliseconds until a frame with this type and id arrives. */
async function answered(socket: WebSocket, type: string, id: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the relay hung up'));
    const listen = (data: Buffer) => {
      if (!data.includes(type) || !data.includes(`"${id}"`)) return;
      socket.off('message', listen);
      socket.off('close', gone);
      resolve(performance.now() - began);
    };
    socket.on('message', listen);
    socket.once('close', gone);
  });
}

async function halt(url: string, token: string, proxy: WebSocket): Promise<number> {
  proxy.on('message', (data: Buffer) => {
    if (!data.includes('"type":"agent_interrupt"')) return;
    const { session_id, request_id, type: command } = JSON.parse(data.toString());
    sendFrame(proxy, { type: 'agent_control_result', session_id, request_id, command, result: 'ok' });
  });
  const began = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/api/halt`, { method: 'POST', headers });
  if (status !== 200) throw new Error(`halt was answered with ${status}`);
  return performance.now() - began;
}

const ledgerBytes = (data: string): number =>
  ['ledger.db', 'ledger.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
