import { plainSentence } from '@drawbridge/protocol';
import type { OpenQuestions } from '../approvals/open-questions.ts';
import { type BridgeRunOptions, hostOf, startOnBridge } from './bridge-run.ts';
import { type ClientRunOptions, startOnClient } from './client-run.ts';
import { isSame, type TaskHost } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';

/**
 * Outcome of a run. `requeue`: not started, waits again. `silent`: the same, because its tab did not answer.
 * `left`: the relay stops, and the next start resolves the task.
 */
export type RunOutcome = TaskEnd | 'requeue' | 'silent' | 'left';

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
  /** Runtimes that did not answer before a task (TSK-66). */
  const silent = new Set<string>();
  const onTab = (host: TaskHost): TaskHost => (silent.has(host.id) ? { ...host, isSilent: true } : host);
  return {
    hosts: () => [
      ...bridge.runtimes().map(hostOf).map(onTab),
      ...clients.clients().map(({ client_id: id, busy }) => ({ kind: 'client', id, busy }) as const),
    ],
    asked(host) {
      const there = bridge
        .runtimes()
        .map(hostOf)
        .find((each) => isSame(each, host));
      const asked = there && questions.at(there.id)?.sentence;
      return asked && plainSentence(asked);
    },
    onHostsChanged(listener) {
      const stops = [
        bridge.watch((event) => {
          if (event.kind === 'item') return;
          // A status or a new page: the tab is alive.
          silent.delete(event.kind === 'gone' ? event.runtime_id : event.runtime.runtime_id);
          listener();
        }),
        clients.onChange(() => listener()),
        questions.onChange(listener),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    start(task, host) {
      if (host.kind === 'client') return startOnClient(task, host, { ...options, now: clock.now });
      const run = startOnBridge(task, host, options);
      const over = run.over.then((outcome) => {
        if (outcome === 'silent') silent.add(host.id);
        return outcome;
      });
      return { ...run, over };
    },
  };
}
