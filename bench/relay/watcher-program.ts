import type { WebSocket } from 'ws';
import { answerCalls } from './child.ts';
import { dial, sendFrame } from './peer.ts';
import { percentileOf } from './percentile.ts';

export interface Watching {
  readonly url: string;
  readonly token: string;
  readonly count: number;
  /** False for an echo server, which expects no hello. */
  readonly greets: boolean;
  /** Resumes here and waits for later events. */
  readonly resume?: { readonly session_id: string; readonly last_sequence: number };
}

/** Concurrent dials: a server's accept queue is short. */
const AT_ONCE = 200;
const MARK = '"content":"sent ';

let sockets: WebSocket[] = [];
let frames = 0;
let awaited = Number.POSITIVE_INFINITY;
let arrived = () => {};
let whole: Promise<void> | undefined;
let lateness: number[] = [];

const onEvent = (data: Buffer): void => {
  const at = data.indexOf(MARK);
  if (at < 0) return;
  const sentAt = Number(data.toString('latin1', at + MARK.length, at + MARK.length + 13));
  lateness.push(Date.now() - sentAt);
  frames += 1;
  if (frames === awaited) arrived();
};

const calls = {
  /** Returns how long it took to connect all. */
  async open(watching: Watching): Promise<number> {
    const began = performance.now();
    let left = watching.count;
    const hand = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        sockets.push(await openOne(watching));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, hand));
    return performance.now() - began;
  },
  /** Starts counting events. */
  expect({ events }: { readonly events: number }): void {
    frames = 0;
    lateness = [];
    const all = Promise.withResolvers<void>();
    awaited = events * sockets.length;
    arrived = all.resolve;
    whole = all.promise;
  },
  /** Resolves when each watcher has all expected events. */
  async watched() {
    await whole;
    return { frames, p50Ms: percentileOf(lateness, 50), p99Ms: percentileOf(lateness, 99), at: Date.now() };
  },
  /** Reads a whole session; returns the number of events and when the last arrived. */
  async replay({
    url,
    token,
    session_id,
    head,
  }: {
    readonly url: string;
    readonly token: string;
    readonly session_id: string;
    readonly head: number;
  }) {
    const socket = await openOne({ url, token, count: 1, greets: true });
    const began = performance.now();
    let bytes = 0;
    const replayed = new Promise<number>((resolve) => {
      socket.on('message', (data: Buffer) => {
        bytes += data.length;
        const opening = data.toString('latin1', 0, 300);
        if (Number(/"last_sequence":(\d+)/.exec(opening)?.[1]) >= head) resolve(performance.now() - began);
      });
    });
    sendFrame(socket, { type: 'history_request', session_id, after_sequence: 0 });
    const ms = await replayed;
    socket.terminate();
    return { ms, bytes };
  },
  /** Drops the sockets of a server that has exited. */
  forget: () => {
    for (const socket of sockets) socket.terminate();
    sockets = [];
  },
};
export type WatcherCalls = typeof calls;
answerCalls(calls);

async function openOne({ url, token, greets, resume }: Watching): Promise<WebSocket> {
  const socket = await dial(url, token);
  socket.on('error', () => {});
  const answered = new Promise<void>((resolve, reject) => {
    const expected = greets ? `"type":"${resume ? 'history_delta' : 'session_snapshot'}"` : '"';
    const listen = (data: Buffer) => {
      if (!data.includes(expected)) return;
      socket.off('message', listen);
      socket.on('message', onEvent);
      resolve();
    };
    socket.on('message', listen);
    socket.once('close', () => reject(new Error('the server hung up')));
  });
  sendFrame(socket, {
    type: 'connection_hello',
    peer_role: 'browser',
    client_name: 'bench',
    ...(resume && { resume: { sessions: [resume] } }),
  });
  await answered;
  return socket;
}
