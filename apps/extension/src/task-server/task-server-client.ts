import type { Clock } from '@drawbridge/link';
import { BridgeError, LIMITS, type TaskEvent, type TaskMessage, tasks } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { TaskServerState } from '../wire.ts';
import type { Reason } from '../worker/words/en.ts';
import { REASONS, readOrder, type ServerTask, TaskRefusal } from './task-order.ts';
import { DEFAULT_TASK_SERVER, shownUrl, taskServerProblem } from './task-server-settings.ts';

/** The used part of the standard WebSocket. */
interface TaskSocket {
  readonly send: (text: string) => void;
  readonly close: () => void;
  readonly addEventListener: TaskSocketListener;
}

interface TaskSocketListener {
  (kind: 'message', run: (event: { readonly data: unknown }) => void): void;
  (kind: 'open' | 'close' | 'error', run: () => void): void;
}

export interface TaskServerOptions {
  readonly url?: string;
  readonly connectSeconds?: number;
  /** `(url) => new WebSocket(url)` */
  readonly open: (url: string) => TaskSocket;
  readonly clock: Clock;
  /** A server's task runs already, perhaps since before this worker started. */
  readonly isBusy: () => boolean;
  /** Resolves when it has started. Throws a TaskRefusal with a known reason (TSK-37). */
  readonly startTask: (order: ServerTask) => Promise<void>;
  readonly onState: (state: TaskServerState) => void;
}

/** Client of contract 5: runs a server's tasks, one at a time, and reports progress. */
export type TaskServerClient = ReturnType<typeof createTaskServerClient>;

/** TSK-24 */
const RETRY_SECONDS = [1, 2, 4, 8, 16, 30] as const;
const LAST_RETRY_SECONDS = 30;
/** Queue limit during an outage; the latest events suffice to know the end. */
const MOST_UNSENT = 100;

/** Stamped with the time of sending (TSK-47). */
type Message = (timestamp: number) => TaskMessage;

export function createTaskServerClient(options: TaskServerOptions) {
  const { open, clock, isBusy, startTask, onState } = options;
  const { url, connectSeconds } = { ...DEFAULT_TASK_SERVER, ...options };
  const problem = taskServerProblem(url, connectSeconds);
  if (problem !== undefined) throw new BridgeError('invalid_input', problem);
  const shown = shownUrl(url);
  let socket: TaskSocket | undefined;
  let isOpen = false;
  let isClosed = false;
  let failures = 0;
  let cancel = () => {};
  let unsent: Message[] = [];
  /** Holds events until the task is accepted (TSK-31). */
  let starting: { readonly taskId: string; readonly events: Message[] } | undefined;

  const send = (message: Message): void => socket?.send(JSON.stringify(message(clock.now())));
  const post = (message: Message): void => {
    if (isOpen) send(message);
    else unsent = [...unsent, message].slice(-MOST_UNSENT);
  };

  const execute = async (message: Readonly<Record<string, unknown>>): Promise<void> => {
    const taskId = typeof message['taskId'] === 'string' ? message['taskId'] : '';
    try {
      const order = readOrder(message, () => starting !== undefined || isBusy());
      const events: Message[] = [];
      starting = { taskId, events };
      try {
        await startTask(order);
        post((timestamp) => ({ type: 'task_accepted', taskId, timestamp }));
      } finally {
        starting = undefined;
      }
      for (const event of events) post(event);
    } catch (error) {
      const reason = error instanceof TaskRefusal ? error.reason : REASONS.FAILED;
      if (isOpen) send((timestamp) => ({ type: 'task_rejected', taskId, reason, timestamp }));
    }
  };

  const receive = (data: unknown): void => {
    const read =
      typeof data === 'string' ? readJson(data, LIMITS.task_message.value) : { ok: false as const };
    if (!read.ok || !isObject(read.value)) return;
    const { value } = read;
    if (value['type'] === 'execute_task') void execute(value);
    else if (value['type'] === 'ping' && isRight(value)) send((timestamp) => ({ type: 'pong', timestamp }));
  };

  const opening = (): TaskSocket | undefined => {
    try {
      return open(url);
    } catch {
      return undefined;
    }
  };

  const connect = (): void => {
    if (isClosed) return;
    onState({ kind: 'connecting', url: shown });
    const opened = opening();
    if (opened === undefined) {
      retry('server_refused');
      return;
    }
    socket = opened;
    const isCurrent = () => socket === opened && !isClosed;
    cancel = clock.after(connectSeconds * 1000, () => lost(opened, 'server_late'));
    opened.addEventListener('open', () => {
      if (!isCurrent()) return;
      cancel();
      isOpen = true;
      failures = 0;
      onState({ kind: 'online', url: shown });
      for (const message of unsent.splice(0)) send(message);
    });
    opened.addEventListener('message', ({ data }) => {
      if (isCurrent()) receive(data);
    });
    opened.addEventListener('close', () => lost(opened, isOpen ? 'server_lost' : 'server_away'));
    // Always followed by a close.
    opened.addEventListener('error', () => {});
  };

  const lost = (which: TaskSocket, why: Reason): void => {
    if (socket !== which || isClosed) return;
    cancel();
    socket = undefined;
    isOpen = false;
    which.close();
    retry(why);
  };

  const retry = (why: Reason): void => {
    const seconds = RETRY_SECONDS[failures] ?? LAST_RETRY_SECONDS;
    failures++;
    cancel = clock.after(seconds * 1000, connect);
    onState({ kind: 'waiting', url: shown, why, nextTryAt: clock.now() + seconds * 1000 });
  };

  connect();
  return {
    /** Reports an event of the server's task, in order. */
    report(taskId: string, event: TaskEvent): void {
      if (isClosed) return;
      const message: Message = (timestamp) => ({ type: 'execution_event', taskId, event, timestamp });
      if (starting?.taskId === taskId) starting.events.push(message);
      else post(message);
    },
    /** Idempotent. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      isOpen = false;
      cancel();
      socket?.close();
      onState({ kind: 'off' });
    },
  };
}

/** TSK-29: invalid messages are dropped. */
function isRight(message: unknown): boolean {
  try {
    tasks.read(message);
    return true;
  } catch (error) {
    if (error instanceof BridgeError) return false;
    throw error;
  }
}
