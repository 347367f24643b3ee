import type { OpenQuestions } from '../approvals/open-questions.ts';
import { type BridgeRunOptions, placeOf, startOnBridge } from './bridge-run.ts';
import { type ClientRunOptions, startOnClient } from './client-run.ts';
import { isSame, type Place } from './task-queue.ts';
import type { ApiTask, TaskEnd } from './task-record.ts';

/**
 * How it came out. `requeue`: it was not begun, and waits again. `left`: the relay stops, and what becomes of it is
 * seen after the next start.
 */
export type RunOutcome = TaskEnd | 'requeue' | 'left';

/** One task, where it runs. */
export interface TaskRun {
  readonly place: Place;
  readonly session_id: string;
  /** Never fails. */
  readonly over: Promise<RunOutcome>;
  readonly cancel: (why: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly takeOver: () => void;
  readonly handBack: () => void;
  /** All that the person has said, oldest first: what is new in it is passed on. */
  readonly hear: (words: readonly string[]) => void;
  readonly leave: () => void;
}

/** Everything that can run a task. */
export interface TaskRunners {
  readonly places: () => readonly Place[];
  /** What a person has to say first, before what is done there goes on. */
  readonly asked: (place: Place) => string | undefined;
  /** Some came, went, became idle, or wait for a person. */
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
