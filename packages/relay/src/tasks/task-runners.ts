import { type BridgeRunOptions, placeOf, startOnBridge } from './bridge-run.ts';
import { type ClientRunOptions, startOnClient } from './client-run.ts';
import type { Place } from './task-queue.ts';
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
  /** Some came, went, or became idle. */
  readonly onPlaces: (listener: () => void) => () => void;
  readonly start: (task: ApiTask, place: Place) => TaskRun;
}

export type TaskRunnersOptions = BridgeRunOptions & Omit<ClientRunOptions, 'now'>;

export function createTaskRunners(options: TaskRunnersOptions): TaskRunners {
  const { bridge, clients, clock } = options;
  return {
    places: () => [
      ...bridge.runtimes().map(placeOf),
      ...clients.clients().map(({ client_id: id, busy }) => ({ kind: 'client', id, busy }) as const),
    ],
    onPlaces(listener) {
      const stops = [
        bridge.watch(({ kind }) => kind !== 'item' && listener()),
        clients.onChange(() => listener()),
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
