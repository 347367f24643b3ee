import type { OpenQuestions } from '../approvals/open-questions.ts';
import { type BridgeRunOptions, placeOf, startOnBridge } from './bridge-run.ts';
import { type ClientRunOptions, startOnClient } from './client-run.ts';
import { isSame, type Place } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';

/**
 * Outcome of a run. `requeue`: not started, waits again. `left`: the relay stops, and the next start resolves
 * the task.
 */
export type RunOutcome = TaskEnd | 'requeue' | 'left';

/** One running task. */
export interface TaskRun {
  readonly place: Place;
  readonly session_id: string;
  /** Never rejects. */
  readonly over: Promise<RunOutcome>;
  readonly cancel: (why: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly takeOver: () => void;
  readonly handBack: () => void;
  /** All of the person's messages, oldest first; new ones are passed on. */
  readonly hear: (words: readonly string[]) => void;
  readonly leave: () => void;
}

export interface TaskRunners {
  readonly places: () => readonly Place[];
  /** The question that a person must answer before work in this host continues. */
  readonly asked: (place: Place) => string | undefined;
  /** Called when a host connects, disconnects, becomes idle or waits for a person. */
  readonly onPlaces: (listener: () => void) => () => void;
  readonly start: (task: ApiTask, place: Place) => TaskRun;
}

export type TaskRunnersOptions = BridgeRunOptions &
  Omit<ClientRunOptions, 'now'> & { readonly questions: Pick<OpenQuestions, 'at' | 'onChange'> };

export function createTaskRunners(options: TaskRunnersOptions): TaskRunners {
  const { bridge, clients, clock, questions } = options;
  return {
    places: () => [
      ...bridge.runtimes().map(placeOf),
      ...clients.clients().map(({ client_id: id, busy }) => ({ kind: 'client', id, busy }) as const),
    ],
    asked(place) {
      const there = bridge
        .runtimes()
        .map(placeOf)
        .find((each) => isSame(each, place));
      return there && questions.at(there.id)?.sentence;
    },
    onPlaces(listener) {
      const stops = [
        bridge.watch(({ kind }) => kind !== 'item' && listener()),
        clients.onChange(() => listener()),
        questions.onChange(listener),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    start: (task, place) =>
      place.kind === 'runtime'
        ? startOnBridge(task, place, options)
        : startOnClient(task, place, { ...options, now: clock.now }),
  };
}
