import type { OpenQuestions } from '../approvals/open-questions.ts';
import { type BridgeRunOptions, hostOf, startOnBridge } from './bridge-run.ts';
import { type ClientRunOptions, startOnClient } from './client-run.ts';
import { isSame, type TaskHost } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';

/**
 * Outcome of a run. `requeue`: not started, waits again. `left`: the relay stops, and the next start resolves
 * the task.
 */
export type RunOutcome = TaskEnd | 'requeue' | 'left';

/** One running task. */
export interface TaskRun {
  readonly host: TaskHost;
  readonly session_id: string;
  /** Never rejects. */
  readonly over: Promise<RunOutcome>;
  readonly cancel: (why: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly takeOver: () => void;
  readonly resumeAgent: () => void;
  /** All of the person's messages, oldest first; new ones are passed on. */
  readonly receive: (words: readonly string[]) => void;
  readonly leave: () => void;
}

export interface TaskRunners {
  readonly hosts: () => readonly TaskHost[];
  /** The question that a person must answer before work in this host continues. */
  readonly asked: (host: TaskHost) => string | undefined;
  /** Called when a host connects, disconnects, becomes idle or waits for a person. */
  readonly onHostsChanged: (listener: () => void) => () => void;
  readonly start: (task: ApiTask, host: TaskHost) => TaskRun;
}

export type TaskRunnersOptions = BridgeRunOptions &
  Omit<ClientRunOptions, 'now'> & { readonly questions: Pick<OpenQuestions, 'at' | 'onChange'> };

export function createTaskRunners(options: TaskRunnersOptions): TaskRunners {
  const { bridge, clients, clock, questions } = options;
  return {
    hosts: () => [
      ...bridge.runtimes().map(hostOf),
      ...clients.clients().map(({ client_id: id, busy }) => ({ kind: 'client', id, busy }) as const),
    ],
    asked(host) {
      const there = bridge
        .runtimes()
        .map(hostOf)
        .find((each) => isSame(each, host));
      return there && questions.at(there.id)?.sentence;
    },
    onHostsChanged(listener) {
      const stops = [
        bridge.watch(({ kind }) => kind !== 'item' && listener()),
        clients.onChange(() => listener()),
        questions.onChange(listener),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    start: (task, host) =>
      host.kind === 'runtime'
        ? startOnBridge(task, host, options)
        : startOnClient(task, host, { ...options, now: clock.now }),
  };
}
