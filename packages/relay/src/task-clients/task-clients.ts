import type { WebSocket } from 'ws';
import type { CoreClock, Identity } from '../core/ports.ts';
import {
  bridgeRate,
  createDeviceRateLimits,
  frameCost,
  ledgerRate,
} from '../server/chat/device-rate-limits.ts';
import type { Log } from '../server/log.ts';
import type { Metrics } from '../server/metrics.ts';
import type { RelayLimits } from '../server/options.ts';
import { createTaskClient, type TaskClient, type TaskReport } from './task-client.ts';
import type { Acceptance, ClientTask, TaskEnd, TaskRun } from './task-run.ts';

export interface TaskClientsOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

export interface TaskOrderForClient extends ClientTask {
  /** One of `clients()`; any free one when left out. */
  readonly client_id?: string | undefined;
  /** JSON Schema of the result. */
  readonly schema?: unknown;
}

/** `/` and `/ws/tasks`: the connected task-protocol extensions and their tasks. */
export type TaskClients = ReturnType<typeof createTaskClients>;

/** TSK-59 */
export const CANNOT_CANCEL =
  'A client of the task protocol cannot be told to stop: the task goes on. Stop it in that browser.';
/** TSK-60 */
export const NO_SCHEMA =
  'A client of the task protocol gives no result that a schema could be held against. Leave out the schema, or run it in another browser.';

/** RFC 6455, 7.4.1 */
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;

interface Open {
  readonly client: TaskClient;
  /** Ignores every later message of the client. */
  readonly close: (code: number, reason: string) => void;
  readonly device_id: string;
}

export function createTaskClients(options: TaskClientsOptions) {
  const { clock, limits, log, onError } = options;
  const connections = options.metrics.counter('connections', { port: 'tasks', role: 'runtime' });
  const open = new Map<string, Open>();
  const rateLimits = createDeviceRateLimits({ clock, limits });
  const sizeRateLimits = createDeviceRateLimits({ clock, limits, rateOf: bridgeRate });
  const ledgerRateLimits = createDeviceRateLimits({ clock, limits, rateOf: ledgerRate });
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const ofDevice = (device_id: string): readonly Open[] =>
    [...open.values()].filter((each) => each.device_id === device_id);

  /** The device's id, so it survives a reconnect; a second browser with the same token gets a number. */
  const newId = (device_id: string, number = 1): string => {
    const client_id = number === 1 ? device_id : `${device_id}-${number}`;
    return open.has(client_id) ? newId(device_id, number + 1) : client_id;
  };

  const take = (socket: WebSocket, identity: Identity): void => {
    const { device_id } = identity;
    const client_id = newId(device_id);
    const client = createTaskClient({
      ...{ client_id, clock, onError },
      send: (text) => socket.readyState === socket.OPEN && socket.send(text),
      // A client that answers no pings would not answer a close either.
      drop: () => socket.terminate(),
      onChange: changed,
    });
    const stream = rateLimits.open(
      identity,
      (isTooFast) => isTooFast && close(POLICY_VIOLATION, 'too many frames'),
    );
    const sizes = sizeRateLimits.open(identity, (isTooMuch) =>
      isTooMuch ? socket.pause() : socket.resume(),
    );
    const ledger = ledgerRateLimits.open(identity, (isTooMuch) =>
      isTooMuch ? socket.pause() : socket.resume(),
    );
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : String(data);
      stream.take(() => {
        const receive = (): void => ledger.take(() => client.receive(text), text.length);
        sizes.take(receive, frameCost(text.length, limits));
      });
    });
    // RFC 6455, 5.5.3: a ping may go unanswered while an earlier answer still waits.
    socket.on('ping', (data) => stream.take(() => socket.bufferedAmount === 0 && socket.pong(data)));
    socket.on('error', () => {});
    const end = (code: number): void => {
      if (!open.delete(client_id)) return;
      connections(-1);
      for (const each of [stream, sizes, ledger]) each.close();
      client.closed();
      log('task_client_closed', { client_id, code });
      changed();
    };
    socket.on('close', end);
    const close = (code: number, reason: string): void => {
      // A paused socket would never read the peer's close.
      socket.resume();
      socket.close(code, reason);
      end(code);
    };
    open.set(client_id, { client, close, device_id });
    connections();
    log('task_client_opened', { client_id });
    changed();
  };

  const run = (task: TaskOrderForClient, on: (message: TaskReport) => void): TaskRun => {
    if (task.schema !== undefined) return notSent({ rejected: NO_SCHEMA }, NO_SCHEMA);
    const { client_id, schema: _, ...sent } = task;
    const free = [...open.values()].filter(({ client }) => !client.isBusy());
    const chosen = free.find(({ client }) => client_id === undefined || client.client_id === client_id);
    if (chosen === undefined) return notSent('busy', 'No client is free for this task.');
    return { client_id: chosen.client.client_id, ...chosen.client.run(sent, on) };
  };

  return {
    hasRoomFor: ({ device_id }: Identity): boolean => ofDevice(device_id).length < limits.person_sockets,
    /** Accepts a socket of a device that was authorized for tasks. */
    take,
    clients: (): readonly { readonly client_id: string; readonly busy: boolean }[] =>
      [...open.values()].map(({ client }) => ({ client_id: client.client_id, busy: client.isBusy() })),
    /**
     * Sends the task to one client; `on` receives its answers and events in order. A sent task cannot be
     * cancelled.
     */
    run,
    /** Called when `clients()` has changed. Returns a function that unsubscribes. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dismiss(device_id: string): void {
      for (const { close } of ofDevice(device_id)) close(POLICY_VIOLATION, 'the device was revoked');
    },
    close(): void {
      for (const { close } of [...open.values()]) close(GOING_AWAY, 'the relay is stopping');
      for (const each of [rateLimits, sizeRateLimits, ledgerRateLimits]) each.close();
    },
  };
}

const notSent = (acceptance: Acceptance, details: string): TaskRun => {
  const end: TaskEnd = { state: 'failed', details };
  return { accepted: Promise.resolve(acceptance), ended: Promise.resolve(end) };
};
