import type { JsonObject } from '@drawbridge/ledger';
import type { MessageDetails, Plan, TaskEvent } from '@drawbridge/protocol';
import { maskShapes, maskShapesIn } from '@drawbridge/protocol/secrets';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import type { StepDetails, TaskStepEvent } from '@drawbridge/runtime/task';
import type { AgentMessage } from '../interact/agent-sessions.ts';
import type { TaskEnd } from './task-record.ts';

/**
 * Renders the task loop's events as session messages: a plan and a step stay one message each while they
 * change.
 */
export function messagesOf(task_id: string, told: TaskStepEvent): readonly AgentMessage[] {
  const { event, step, question, plan } = told;
  const messages: AgentMessage[] = [];
  if (plan !== undefined) messages.push(planMessage(task_id, plan));
  if (step !== undefined) {
    const message_id = `${task_id}_step_${step.index}`;
    messages.push({ ...assistant(message_id, stepText(step)), details: step, metadata: happened(event) });
  } else if (question !== undefined || isNews(told)) {
    messages.push(eventMessage(`${task_id}_${event.state}_${event.timestamp}`, event));
  }
  return maskShapesIn(messages);
}

/** Steps, the plan, the person's messages and the end already cover the other events of the loop. */
function isNews({ event, checkpoint }: TaskStepEvent): boolean {
  if (event.state === 'task.resume') return event.actor === 'system';
  if (event.state === 'step.fail') return checkpoint.last?.lastActionError?.code === 'invalid_action';
  return event.state === 'task.pause';
}

/** TSK-61: an event of a task-protocol client, unchanged. */
export const eventMessage = (message_id: string, event: TaskEvent): AgentMessage => ({
  ...assistant(message_id, maskShapes(event.data.details)),
  metadata: maskShapesIn(happened(event)),
});

export const statusMessage = (message_id: string, content: string): AgentMessage =>
  assistant(message_id, content);

export function endMessage(task_id: string, { state, message, result }: TaskEnd): AgentMessage {
  const details: MessageDetails = {
    ...{ kind: 'task_result', task_id, status: state },
    ...(result !== undefined && { result }),
  };
  const content = state === 'completed' ? message || 'Done.' : `${END_WORDS[state]}: ${message}`;
  return { ...assistant(`${task_id}_end`, content), details };
}

const END_WORDS = {
  failed: 'Failed',
  cancelled: 'Cancelled',
  unknown: 'Nobody can tell how it ended',
} as const;

const PLAN_SIGNS = { pending: '·', active: '▸', completed: '✓', failed: '✗' } as const;

function planMessage(task_id: string, plan: Plan): AgentMessage {
  const steps = plan.steps.map(({ description, status }) => ({ text: description, status }));
  const content = steps.map(({ text, status }) => `${PLAN_SIGNS[status]} ${text}`).join('\n');
  return { ...assistant(`${task_id}_plan`, content), details: { kind: 'plan', steps } };
}

const STEP_WORDS = {
  running: '…',
  ok: ': done',
  failed: ': failed',
  unknown: ': may have been done',
} as const;

function stepText({ action, subject, status, error }: StepDetails): string {
  const sentence = stepActionOf(action, subject);
  return `${sentence}${STEP_WORDS[status]}${error === undefined ? '' : `. ${error.message}`}`;
}

const assistant = (message_id: string, content: string) =>
  ({ message_id, role: 'assistant', content }) as const;

function happened(event: TaskEvent): JsonObject {
  return { execution_event: JSON.parse(JSON.stringify(event)) };
}
