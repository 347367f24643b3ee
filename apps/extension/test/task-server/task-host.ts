import type { Clock } from '@drawbridge/link';
import { createFakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { type WebSocket as HostSocket, WebSocketServer } from 'ws';
import { createTaskServerClient, type TaskServerOptions } from '../../src/task-server/task-server-client.ts';
import type { TaskServerState } from '../../src/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire; tests look into it.
type Any = any;

/** A host's view of one connection. */
export interface HostConnection {
  readonly path: string;
  /** All received messages, in order. */
  readonly came: readonly Any[];
  readonly send: (message: object | string) => void;
  readonly next: () => Promise<Any>;
  readonly close: () => void;
  readonly closed: Promise<void>;
}

export interface TaskHost {
  readonly url: string;
  readonly port: number;
  readonly connection: () => Promise<HostConnection>;
  readonly close: () => Promise<void>;
}

/** A host written from the contract alone: a plain WebSocket server at `/` with JSON text frames. */
export async function startTaskHost(port = 0): Promise<TaskHost> {
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  await new Promise((resolve) => server.on('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  const connections = queue<HostConnection>();
  server.on('connection', (socket, request) => connections.put(connectionOf(socket, request.url ?? '')));
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    url: `ws://127.0.0.1:${address.port}`,
    port: address.port,
    connection: connections.take,
    close,
  };
}

function connectionOf(socket: HostSocket, path: string): HostConnection {
  const came: Any[] = [];
  const messages = queue<Any>();
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? 'a binary frame' : JSON.parse(String(data));
    came.push(message);
    messages.put(message);
  });
  return {
    path,
    came,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: messages.take,
    close: () => socket.close(),
    closed: new Promise((resolve) => socket.on('close', () => resolve())),
  };
}

export function queue<Item>() {
  const untaken: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  return {
    put(item: Item): void {
      const taker = waiting.shift();
      if (taker === undefined) untaken.push(item);
      else taker(item);
    },
    take: (): Promise<Item> =>
      untaken.length > 0
        ? Promise.resolve(untaken.shift() as Item)
        : new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Time in the contract's examples. */
export const EXAMPLE_TIME = 1_697_097_600_000;

/** The client under test, on a fake clock. */
export function startClient(url: string, more: Partial<TaskServerOptions> = {}) {
  const clock = createFakeClock(EXAMPLE_TIME);
  const states = queue<TaskServerState>();
  const started: unknown[] = [];
  let isBusy = false;
  const ticking: Clock = {
    now: clock.now,
    after: (ms, run) => {
      const handle = clock.setTimeout(run, ms);
      return () => clock.clearTimeout(handle);
    },
  };
  const client = createTaskServerClient({
    url,
    open: (at) => new WebSocket(at),
    clock: ticking,
    isBusy: () => isBusy,
    startTask: async (order) => {
      started.push(order);
      isBusy = true;
    },
    onState: states.put,
    ...more,
  });
  onTestFinished(client.close);
  return {
    ...{ client, clock, started },
    /** The next change. */
    state: states.take,
    /** Called when the task has ended here. */
    free: () => {
      isBusy = false;
    },
  };
}
