import type { WebSocket } from 'ws';
import { answerCalls } from './child.ts';
import { dial, greet, say } from './peer.ts';
import { percentileOf } from './percentile.ts';

export interface Sender {
  readonly token: string;
  readonly session_id: string;
}

export interface Opening {
  readonly name: string;
  readonly url: string;
  readonly senders: readonly Sender[];
  readonly echo: boolean;
}

export interface Pace {
  /** Which of those that were opened. */
  readonly name: string;
  readonly ms: number;
  /** How many of each connection may be unanswered. */
  readonly window: number;
  /** All connections together; as fast as the window allows without it. */
  readonly perSecond?: number;
}

export interface Pumped {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How much of a core this program used. */
  readonly cpu: number;
}

interface Line {
  readonly socket: WebSocket;
  readonly session_id: string;
  /** When each unanswered one left: answers come in the order of the sends. */
  readonly unanswered: number[];
}

const HEARTBEAT_MS = 10_000;
const run = `${process.pid}`;
/** By the server that they lead to. */
const groups = new Map<string, readonly Line[]>();
let lines: readonly Line[] = [];
let sent = 0;
let answers = 0;
let latencies: number[] = [];
let problem: string | undefined;
let onAnswer = (_line: Line): void => {};

const calls = {
  async open({ name, url, senders, echo }: Opening): Promise<void> {
    groups.set(name, await Promise.all(senders.map((sender) => open(url, sender, echo))));
  },
  async pump({ name, ms, window, perSecond }: Pace): Promise<Pumped> {
    lines = groups.get(name) ?? [];
    const cpu = process.cpuUsage();
    answers = 0;
    latencies = [];
    const began = performance.now();
    await (perSecond === undefined ? sendFull(ms, window) : sendPaced(ms, window, perSecond));
    const seconds = (performance.now() - began) / 1_000;
    const used = process.cpuUsage(cpu);
    const pumped = {
      answers,
      perSecond: answers / seconds,
      p50Ms: percentileOf(latencies, 50),
      p99Ms: percentileOf(latencies, 99),
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
    // Others are measured meanwhile, for longer than the relay waits for a silent peer.
    setInterval(() => say(socket, { type: 'heartbeat' }), HEARTBEAT_MS).unref();
  }
  const expected = echo ? 'send_message' : 'message_accepted';
  socket.on('message', (data: Buffer) => {
    // The first field of an event is its type: to parse each would measure this program.
    const type = data.toString('latin1', 9, data.indexOf('"', 9));
    if (type === expected) answered(line);
    else if (data.includes('connection_error')) problem ??= data.toString();
  });
  return line;
}

function answered(line: Line): void {
  const left = line.unanswered.shift();
  if (left === undefined) return;
  latencies.push(performance.now() - left);
  answers += 1;
  onAnswer(line);
}

function send({ socket, session_id, unanswered }: Line): void {
  sent += 1;
  unanswered.push(performance.now());
  socket.send(
    `{"type":"send_message","protocol_version":1,"session_id":"${session_id}","client_message_id":"${run}-${sent}","content":"Please run the tests again, and tell me which of them fail.","created_at":"2026-01-01T00:00:00.000Z"}`,
  );
}

async function sendFull(ms: number, window: number): Promise<void> {
  const until = performance.now() + ms;
  onAnswer = (line) => {
    if (performance.now() < until) send(line);
  };
  for (const line of lines) for (let n = 0; n < window; n += 1) send(line);
  await new Promise((resolve) => setTimeout(resolve, ms));
}

async function sendPaced(ms: number, window: number, perSecond: number): Promise<void> {
  const began = performance.now();
  let due = 0;
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const passed = performance.now() - began;
      if (passed > ms) {
        clearInterval(tick);
        resolve();
        return;
      }
      const target = (passed / 1_000) * perSecond;
      for (; due < target; due += 1) {
        const line = lines[due % lines.length];
        if (line !== undefined && line.unanswered.length < window) send(line);
      }
    }, 1);
  });
}

async function drained(): Promise<void> {
  while (problem === undefined && lines.some(({ unanswered }) => unanswered.length > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
