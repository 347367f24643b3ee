import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { TASK_MESSAGES } from './messages.ts';

const toExtension: readonly Hop[] = [['relay', 'extension']];
const toRelay: readonly Hop[] = [['extension', 'relay']];

export const TASK_NOTES: NotesOf<typeof TASK_MESSAGES> = {
  execute_task: note(toExtension, 'Asks the extension to run a task in the browser.'),
  task_accepted: note(toRelay, 'The extension starts the task; events follow until it has ended.'),
  task_rejected: note(toRelay, 'The extension refuses the task, with the reason.'),
  execution_event: note(toRelay, 'Progress or end of an accepted task.'),
  ping: note(toExtension, 'Asks whether the extension is alive.'),
  pong: note(toRelay, 'Answers a `ping`, also while a task runs.'),
};

export const TASK_SHAPES = {
  TaskEvent: TASK_MESSAGES.execution_event.properties.event,
} as const satisfies Record<string, TSchema>;

export const TASK_FIELD_NOTES: FieldNotes = {
  prompt: 'the instruction, in words',
  'metadata.priority': 'a task with a higher one is sent first',
  'metadata.timeout': 'the time limit in milliseconds',
  reason: 'we send one of the [five reasons](../error-codes.md#reasons-of-task_rejected)',
  'task_rejected.taskId': 'empty when the task had no usable id',
  timestamp: 'when the message was sent, in milliseconds since 1970',
  'TaskEvent.timestamp': 'when it happened, in milliseconds since 1970',
  actor:
    '`system` for the task itself, `planner` for planning, `navigator` for the page, `user` for the person',
  state: 'a task begins with `task.start` and ends with `task.ok`, `task.fail` or `task.cancel`',
  'data.step': 'counted from 0',
  'data.maxSteps': 'maximum number of steps',
  'data.details': 'what happened, in words',
};
