import { once } from 'node:events';
import type { TaskMessage } from '@drawbridge/protocol';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TaskReport } from '../../src/task-clients/task-client.ts';
import { mintTaskClient } from '../../src/task-clients/task-token.ts';
import { startTestRelay, type TestRelay } from '../server/test-relay.ts';

export interface TaskRelay {
  readonly relay: TestRelay;
  readonly clock: FakeClock;
  /** A path with a new token in it. */
  readonly mint: () => Promise<{ readonly device_id: string; readonly path: string }>;
  readonly connect: (path?: string) => Promise<Extension>;
  /** Resolves when `clients()` matches. */
  readonly until: (
    holds: (clients: ReturnType<TestRelay['taskClients']['clients']>) => boolean,
  ) => Promise<void>;
}

/** A plain WebSocket, as the extension opens it. */
export interface Extension {
  readonly socket: WebSocket;
  readonly client_id: string;
  /** Received messages, in order. */
  readonly came: readonly TaskMessage[];
  readonly send: (message: object | string) => void;
  readonly next: () => Promise<TaskMessage>;
  /** Resolves when the server has read everything sent: a WebSocket ping is answered after it. */
  readonly settled: () => Promise<void>;
  readonly closed: Promise<number>;
}

export async function startTaskRelay(): Promise<TaskRelay> {
  const clock = createFakeClock(1_697_097_600_000);
  const relay = await startTestRelay({ clock, taskClients: true });
  const mint = () => mintTaskClient(relay.devices, { label: 'Extension', by: 'machine' });
  const until: TaskRelay['until'] = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds(relay.taskClients.clients())) return;
        cancel();
        resolve();
      };
      const cancel = relay.taskClients.onChange(look);
      look();
    });
  return {
    ...{ relay, clock, mint, until },
    async connect(path) {
      const minted = path === undefined ? await mint() : { path, device_id: '' };
      const before = new Set(relay.taskClients.clients().map(({ client_id }) => client_id));
      const extension = await open(relay.url.replace('http', 'ws') + minted.path);
      const client_id = relay.taskClients
        .clients()
        .find((client) => !before.has(client.client_id))?.client_id;
      return { ...extension, client_id: client_id ?? '' };
    },
  };
}

async function open(url: string): Promise<Omit<Extension, 'client_id'>> {
  const socket = new WebSocket(url, { origin: 'chrome-extension://nanobrowser' });
  onTestFinished(() => socket.terminate());
  const came: TaskMessage[] = [];
  const waiting: ((message: TaskMessage) => void)[] = [];
  const untaken: TaskMessage[] = [];
  socket.on('message', (data) => {
    const message: TaskMessage = JSON.parse(String(data));
    came.push(message);
    const taker = waiting.shift();
    if (taker === undefined) untaken.push(message);
    else taker(message);
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  return {
    ...{ socket, came, closed },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next() {
      const message = untaken.shift();
      return message === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(message);
    },
    async settled() {
      const answered = once(socket, 'pong');
      socket.ping();
      await answered;
    },
  };
}

/** Records the reports of a run. */
export function createReportLog() {
  const reports: TaskReport[] = [];
  return { reports, on: (report: TaskReport) => void reports.push(report) };
}
