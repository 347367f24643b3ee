import { onTestFinished } from 'vitest';
import type { StoryRelay } from './story-relay.ts';

interface Task {
  readonly taskId: string;
  readonly prompt: string;
}

interface TaskReport extends Task {
  readonly type: string;
}

const AGAIN_MS = 200;
const NAMED = { label: 'Task agent' };

/** A scripted client of the task protocol on a plain WebSocket, which reconnects. */
export async function startTaskAgent(relay: StoryRelay) {
  const made = await relay.ask<{ device_id: string; path: string }>('POST', '/api/task-clients', NAMED);
  const { device_id, path } = made;
  const tasks: Task[] = [];
  const waiting = new Set<() => void>();
  let socket: WebSocket;
  let isOver = false;
  const dial = (): void => {
    socket = new WebSocket(relay.url.replace('http', 'ws') + path);
    socket.addEventListener('open', () => {
      for (const look of [...waiting]) look();
    });
    socket.addEventListener('message', ({ data }) => take(JSON.parse(String(data))));
    socket.addEventListener('close', () => {
      if (!isOver) setTimeout(dial, AGAIN_MS);
    });
  };
  const send = (message: object): void => socket.send(JSON.stringify({ ...message, timestamp: Date.now() }));
  const take = ({ type, taskId, prompt }: TaskReport): void => {
    if (type === 'ping') send({ type: 'pong' });
    if (type !== 'execute_task') return;
    tasks.push({ taskId, prompt });
    send({ type: 'task_accepted', taskId });
    for (const look of [...waiting]) look();
  };
  dial();
  onTestFinished(() => {
    isOver = true;
    socket.close();
  });
  return {
    device_id,
    /** Waits for `count` tasks in total and returns the last. */
    task: (count: number): Promise<Task> =>
      new Promise((resolve) => {
        const look = (): void => {
          const task = tasks[count - 1];
          if (task === undefined) return;
          waiting.delete(look);
          resolve(task);
        };
        waiting.add(look);
        look();
      }),
    /** Resolves when the current relay has accepted it. */
    back: (): Promise<void> =>
      socket.readyState === socket.OPEN
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.add(function look() {
              if (socket.readyState !== socket.OPEN) return;
              waiting.delete(look);
              resolve();
            });
          }),
    report({ taskId }: Task, state: string, details: string): void {
      const data = { taskId, step: 1, maxSteps: 5, details };
      const event = { actor: 'navigator', state, type: 'execution', timestamp: Date.now(), data };
      send({ type: 'execution_event', taskId, event });
    },
  };
}
