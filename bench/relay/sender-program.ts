import type { WebSocket } from 'ws';
import { answerCalls } from './child.ts';
import { dial, greet, sendFrame } from './peer.ts';
import { percentileOf } from './percentile.ts';

export interface Sender {
  readonly token: string;
  readonly session_id: string;
  /** Overrides the common server. */
  readonly url?: string;
}

export interface Opening {
  readonly name: string;
  readonly url: string;
  readonly senders: readonly Sender[];
  readonly echo: boolean;
}

export interface Pace {
  /** Name of the opened group. */
  readonly name: string;
  readonly ms: number;
  /** Unanswered sends per connection; ignored when paced. */
  readonly window: number;
  /** Rate over all connections together; without it, as fast as the window allows. */
  readonly perSecond?: number;
}

export interface Pumped {
  readonly answers: number;
  readonly perSecond: number;
  /** Measured from when each was due, so that delays of a starved sender count. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Delay of this program itself; part of the above. */
  readonly lateP99Ms: number;
  /** Share of a core that this program used. */
  readonly cpu: number;
}

interface Line {
  readonly socket: WebSocket;
  readonly session_id: string;
  /** Due times of unanswered sends: answers come in the order of the sends. */
  readonly unanswered: number[];
}

const HEARTBEAT_MS = 10_000;
const run = `${process.pid}`;
/** Connections by server. */
const groups = new Map<string, readonly Line[]>();
let lines: readonly Line[] = [];
let sent = 0;
let answers = 0;
let latencies: number[] = [];
let lateness: number[] = [];
let problem: string | undefined;
let onAnswer = (): void => {};

const calls = {
  async open({ name, url, senders, echo }: Opening): Promise<void> {
    groups.set(name, await Promise.all(senders.map((sender) => open(sender.url ?? url, sender, echo))));
  },
  async pump({ name, ms, window, perSecond }: Pace): Promise<Pumped> {
    lines = groups.get(name) ?? [];
    const cpu = process.cpuUsage();
    answers = 0;
    latencies = [];
    lateness = [];
    const began = performance.now();
    await (perSecond === undefined ? sendFull(ms, window) : sendPaced(ms, perSecond));
    const seconds = (performance.now() - began) / 1_000;
    const used = process.cpuUsage(cpu);
    const pumped = {
      answers,
      perSecond: answers / seconds,
      p50Ms: percentileOf(latencies, 50),
      p99Ms: percentileOf(latencies, 99),
      lateP99Ms: percentileOf(lateness, 99),
      cpu: (used.user + used.system) / 1e6 / seconds,
    };
    onAnswer = () => {};
    await drained();
    if (problem !== undefined) throw new Error(problem);
    return pumped;
  },
};
export type SenderCalls = typeof calls;
answerCalls(calls);

async function open(url: string, { token, session_id }: Sender, echo: boolean): Promise<Line> {
  const socket = await dial(url, token);
  const line: Line = { socket, session_id, unanswered: [] };
  if (!echo) {
    await greet(socket, 'browser');
    // Other subjects are measured for longer than the relay's idle timeout.
    setInterval(() => sendFrame(socket, { type: 'heartbeat' }), HEARTBEAT_MS).unref();
  }
  const expected = echo ? 'send_message' : 'message_accepted';
  socket.on('message', (data: Buffer) => {
    // The type is an event's first field: parsing each would measure this program.
    const type = data.toString('latin1', 9, data.indexOf('"', 9));
    if (type === expected) answered(line);
    else if (data.includes('connection_error')) problem ??= data.toString();
  });
  return line;
}

function answered(line: Line): void {
  const due = line.unanswered.shift();
  if (due === undefined) return;
  latencies.push(performance.now() - due);
  answers += 1;
  onAnswer();
}

function send({ socket, session_id, unanswered }: Line, due: number): void {
  sent += 1;
  unanswered.push(due);
  socket.send(
    `{"type":"send_message","protocol_version":1,"session_id":"${session_id}","client_message_id":"${run}-${sent}","content":"Please run the tests again, and tell me which of them fail.","created_at":"2026-01-01T00:00:00.000Z"}`,
  );
}

/**
 * The window applies to all connections together, and sends rotate over them as when paced: eight in a row to
 * one session touch fewer pages of the ledger, so half of that rate would be more than half of this one.
 */
async function sendFull(ms: number, window: number): Promise<void> {
  const until = performance.now() + ms;
  let next = 0;
  const sendNext = (): void => {
    const line = lines[next % lines.length];
    next += 1;
    if (line !== undefined) send(line, performance.now());
  };
  onAnswer = () => {
    if (performance.now() < until) sendNext();
  };
  for (let n = 0; n < lines.length * window; n += 1) sendNext();
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends evenly to each connection in turn, without waiting for answers. */
async function sendPaced(ms: number, perSecond: number): Promise<void> {
  const began = performance.now();
  const dueOf = (n: number): number => began + (n * 1_000) / perSecond;
  let next = 0;
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const now = performance.now();
      for (; dueOf(next) <= Math.min(now, began + ms); next += 1) {
        const line = lines[next % lines.length];
        if (line === undefined) continue;
        lateness.push(now - dueOf(next));
        send(line, dueOf(next));
      }
      if (now < began + ms) return;
      clearInterval(tick);
      resolve();
    }, 1);
  });
  // Waits for the last answers too, which waited longest.
  await drained();
}

async function drained(): Promise<void> {
  while (problem === undefined && lines.some(({ unanswered }) => unanswered.length > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
