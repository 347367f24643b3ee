import type { TaskState } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { TaskCheckpoint, TaskStepEvent } from '@drawbridge/runtime/task';
import type { TabTask } from '../wire.ts';

/** Everything needed to continue a task after a worker restart. Plain JSON. */
export interface TabTaskRecord {
  readonly task: TabTask;
  /** Absent until the first step. */
  readonly checkpoint?: TaskCheckpoint;
  /** The person's messages, oldest first. */
  readonly words: readonly string[];
  /** Held by a person. */
  readonly held?: 'paused' | 'taken_over';
  /** The deadline (TSK-56). */
  readonly deadline?: number;
}

const MOST_EVENTS = 200;

const ENDS: Readonly<Record<string, TaskState>> = {
  'task.ok': 'completed',
  'task.fail': 'failed',
  'task.cancel': 'cancelled',
};

export const isOver = ({ endedAt }: TabTask): boolean => endedAt !== undefined;

/** Folds one event into the record. */
export function afterEvent(record: TabTaskRecord, told: TaskStepEvent): TabTaskRecord {
  const { event, step, question, plan, checkpoint } = told;
  const { question: asked, ...before } = record.task;
  const end = ENDS[event.state];
  const thought = step?.thought;
  const isOpen = end === undefined && event.state !== 'task.resume';
  const open = question ?? (isOpen ? asked : undefined);
  const task: TabTask = {
    ...before,
    ...(plan && { plan }),
    ...(open && { question: open }),
    events: [
      ...before.events,
      { event, ...(step && { step }), ...(thought !== undefined && { thought }) },
    ].slice(-MOST_EVENTS),
    ...(end && { state: end, message: event.data.details, endedAt: event.timestamp }),
  };
  return {
    ...record,
    checkpoint,
    task: end === undefined ? { ...task, state: stateOf(record, open) } : task,
  };
}

/** A person's hold applies at once; the loop reports it when it has stopped. */
export function heldAs(record: TabTaskRecord, held: TabTaskRecord['held']): TabTaskRecord {
  const { held: _, ...rest } = record;
  const next: TabTaskRecord = held === undefined ? rest : { ...rest, held };
  const state = stateOf(next, record.task.question);
  return { ...next, task: { ...record.task, state, takenOver: held === 'taken_over' } };
}

function stateOf({ held }: TabTaskRecord, question: unknown): TaskState {
  if (held !== undefined) return 'paused';
  return question === undefined ? 'running' : 'waiting';
}

/** Only this extension writes there, so the shape check is shallow. */
export function parseRecord(stored: unknown): TabTaskRecord | undefined {
  return isObject(stored) && isObject(stored['task']) && Array.isArray(stored['words'])
    ? (stored as unknown as TabTaskRecord)
    : undefined;
}
