import type { TaskState } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { TaskCheckpoint, TaskStepEvent } from '@drawbridge/runtime/task';
import type { TabTask } from '../wire.ts';

/** All that a task needs to go on when the worker was stopped. Plain JSON. */
export interface TabTaskRecord {
  readonly task: TabTask;
  /** Absent until it has begun. */
  readonly checkpoint?: TaskCheckpoint;
  /** What the person said, oldest first. */
  readonly words: readonly string[];
  /** A person holds it. */
  readonly held?: 'paused' | 'taken_over';
  /** When its time is over (TSK-56). */
  readonly deadline?: number;
}

const MOST_EVENTS = 200;

const ENDS: Readonly<Record<string, TaskState>> = {
  'task.ok': 'completed',
  'task.fail': 'failed',
  'task.cancel': 'cancelled',
};

export const isOver = ({ endedAt }: TabTask): boolean => endedAt !== undefined;

/** The record after one more event. */
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

/** What a person does counts at once; the loop tells of it when it has come to hold. */
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

/** Only this extension writes there: what has the shape of a record is one. */
export function parseRecord(stored: unknown): TabTaskRecord | undefined {
  return isObject(stored) && isObject(stored['task']) && Array.isArray(stored['words'])
    ? (stored as unknown as TabTaskRecord)
    : undefined;
}
