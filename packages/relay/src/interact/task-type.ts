import type { StepAnswer } from '@drawbridge/brain';
import type { InteractRequest } from '@drawbridge/protocol';
import { endOf } from './step-messages.ts';

export type TaskType = NonNullable<InteractRequest['taskType']>;

/** INT-323, INT-324: undefined for a task on a page, without a file. */
export function taskTypeOf({ taskType, attachment }: InteractRequest): TaskType | undefined {
  if (taskType === 'chat_only' || taskType === 'web_only') return taskType;
  return attachment === undefined ? undefined : 'web_with_file';
}

/** INT-324: one turn, whatever the brain would do on a page. */
export function chatAnswer(answer: StepAnswer): StepAnswer {
  if (endOf(answer.action) !== undefined) return answer;
  const thought = answer.userQuestion ?? NO_PAGE;
  return { thought, action: 'fail()', status: 'failed', reasoning: thought };
}

const NO_PAGE =
  'That needs a page, and this task has none. Open the page and ask again, or set up a model to answer from.';
