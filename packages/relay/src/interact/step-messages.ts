import type { StepAnswer } from '@drawbridge/brain';
import type { InteractRequest, MessageDetails, Plan } from '@drawbridge/protocol';
import type { AgentMessage } from './agent-sessions.ts';

type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

/** A step's message, sent again later with its outcome. */
export interface StepMessage {
  readonly message_id: string;
  readonly content: string;
  readonly said_at: number;
  readonly details: StepDetails;
}

const MOST_CONTENT = 100_000;

export interface Decided {
  readonly task_id: string;
  readonly request: InteractRequest;
  readonly answer: Exclude<StepAnswer, { status: 'needs_context' | 'needs_full_dom' }>;
  /** How many messages the task has sent before. */
  readonly messages: number;
  readonly now: number;
}

/** INT-163: the decision, in words for people. */
export function decisionMessage(decided: Decided): AgentMessage & { readonly details?: MessageDetails } {
  const { task_id, request, answer, messages, now } = decided;
  const { action, thought = '', userQuestion } = answer;
  const message_id = `${task_id}_${messages}`;
  const said = { message_id, role: 'assistant', said_at: now } as const;
  if (answer.status === 'needs_user_input' || action === undefined) {
    return { ...said, content: cut(userQuestion ?? thought) };
  }
  const content = cut(thought === '' ? action : thought);
  const status = endOf(action);
  if (status !== undefined) {
    const result = answer.result === undefined ? {} : { result: answer.result };
    return { ...said, content, details: { kind: 'task_result', task_id, status, ...result } };
  }
  const subject = subjectOf(request, answer.actionDetails?.elementId);
  const details: StepDetails = {
    kind: 'step',
    task_id,
    index: messages,
    // INT-321: people see every action of a chain.
    action: answer.actions?.map((each) => each.action).join('; ') ?? action,
    status: STATUS_OF_MEMORY.get(answer.toolAction?.memoryResult?.success) ?? 'running',
    ...(thought !== '' && { thought: cut(thought) }),
    ...(subject !== undefined && { subject }),
    before: placeOf(request),
  };
  return { ...said, content, details };
}

/** INT-320: done already. */
const STATUS_OF_MEMORY = new Map<boolean | undefined, StepDetails['status']>([
  [true, 'ok'],
  [false, 'failed'],
]);

/** INT-135 */
export function endOf(action: string | undefined): 'completed' | 'failed' | undefined {
  const name = action?.slice(0, action.indexOf('(')).trim();
  if (name === 'finish') return 'completed';
  return name === 'fail' ? 'failed' : undefined;
}

/** INT-89: the client's outcome, on the message that carried the action. */
export function stepOutcome(step: StepMessage, request: InteractRequest): AgentMessage {
  const { lastActionStatus, recentEvents } = request;
  const chainError = request.chainError ?? request.chainActionError;
  const error = request.lastActionError ?? chainError;
  const reported = lastActionStatus === undefined ? 'unknown' : OUTCOMES[lastActionStatus];
  const status = chainError === undefined ? reported : 'failed';
  const { message_id, content, said_at } = step;
  const details: StepDetails = {
    ...step.details,
    status,
    after: placeOf(request),
    ...(recentEvents !== undefined && { events: recentEvents }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
  return { message_id, role: 'assistant', content, said_at, details };
}

const OUTCOMES = { success: 'ok', failure: 'failed', pending: 'running' } as const;

/** One message per task, updated as the plan advances (INT-313). */
export function planMessage(
  task_id: string,
  { steps, currentStepIndex }: Plan,
  isReplanned: boolean,
): AgentMessage {
  const shown = steps.map(({ description, status }) => ({ text: description, status }));
  const lines = shown.map(({ text, status }, index) => `${index + 1}. ${text} (${status})`);
  const plan = {
    steps: steps.map(({ index, description, status }) => ({ index, description, status })),
    totalSteps: steps.length,
    currentStepIndex,
  };
  return {
    message_id: `${task_id}_plan`,
    role: 'system',
    content: cut(`Plan:\n${lines.join('\n')}`),
    details: { kind: 'plan', steps: shown },
    metadata: { messageType: isReplanned ? 'plan_update' : 'plan_preview', taskId: task_id, plan },
  };
}

/** Whether two plans, as a task's row has them, differ in their steps. */
export function areOtherSteps(before: string, after: string): boolean {
  const wordsOf = (plan: string): string => {
    const steps: readonly (readonly [string, string])[] = JSON.parse(plan);
    return steps.map(([description]) => description).join('\n');
  };
  return wordsOf(before) !== wordsOf(after);
}

export function queryMessage(task_id: string, index: number, query: string): AgentMessage {
  return { message_id: `${task_id}_query_${index}`, role: 'user', content: query };
}

const cut = (text: string): string => text.slice(0, MOST_CONTENT);

const placeOf = ({ url, pageTitle }: InteractRequest) => ({
  url,
  ...(pageTitle !== undefined && { title: pageTitle }),
});

function subjectOf(
  { interactiveTree = [], semanticNodes = [] }: InteractRequest,
  elementId: string | number | undefined,
): string | undefined {
  const id = String(elementId);
  const name =
    interactiveTree.find(({ i }) => i === id)?.n ?? semanticNodes.find((node) => node.id === id)?.name;
  return name === undefined || name === '' ? undefined : name.slice(0, 200);
}
