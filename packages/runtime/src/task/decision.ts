import {
  type Action,
  type ActionDetails,
  BridgeError,
  type NeedsContext,
  type Plan,
  parseAction,
  reasoningText,
} from '@drawbridge/protocol';
import type { DeciderAnswer } from './decider.ts';
import type { TaskQuestion } from './task-event.ts';
import type { Wanted } from './task-page.ts';

/** A parsed answer of the decider. */
export type Decision =
  | { readonly kind: 'ask'; readonly wanted: Wanted }
  | { readonly kind: 'question'; readonly question: TaskQuestion }
  | { readonly kind: 'finish' | 'fail'; readonly words: string; readonly result?: unknown }
  | ActDecision
  /** INT-54: nothing is done. */
  | { readonly kind: 'nonsense'; readonly action: string; readonly message: string };

export interface ActDecision {
  readonly kind: 'act';
  readonly action: Action;
  readonly thought: string;
  readonly reasoning?: string;
  readonly details?: ActionDetails;
  readonly expected?: Readonly<Record<string, unknown>>;
}

const ASK = /^\s*(needs_context|needs_full_dom)\s*(?:\(\s*\))?\s*$/;

/** INT-106: an older server writes its request in the `action` field. */
export const askIn = (action: string): string | undefined => ASK.exec(action)?.[1];

export function decisionOf(answer: DeciderAnswer): Decision {
  const { action = '', thought = '', userQuestion } = answer;
  if (answer.status === 'needs_user_input') {
    const { missingInformation: missing } = answer;
    const text = [userQuestion, thought].find((words) => words !== undefined && words !== '');
    return {
      kind: 'question',
      question: { text: text ?? 'More is needed to go on.', ...(missing !== undefined && { missing }) },
    };
  }
  if (answer.status === 'needs_context' || answer.status === 'needs_full_dom' || askIn(action) !== undefined)
    return { kind: 'ask', wanted: wantedBy(answer) };
  return actionOf(action, thought, answer);
}

function actionOf(text: string, thought: string, answer: DeciderAnswer): Decision {
  const action = read(text);
  if (action instanceof BridgeError) return { kind: 'nonsense', action: text, message: action.message };
  if (action.name === 'finish' || action.name === 'fail') {
    const { result } = answer;
    return { kind: action.name, words: thought, ...(result !== undefined && { result }) };
  }
  const { actionDetails: details, plan } = answer;
  const expected = expectedBy(plan);
  const reasoning = reasoningText(answer.reasoning);
  return {
    kind: 'act',
    action,
    thought,
    ...(reasoning !== '' && { reasoning }),
    ...(details !== undefined && { details }),
    ...(expected !== undefined && { expected }),
  };
}

function read(text: string): Action | BridgeError {
  try {
    return parseAction(text);
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
}

const expectedBy = (plan: Plan | undefined) => plan?.steps[plan.currentStepIndex]?.expectedOutcome;

/** INT-107: a request without a mode means the full one. */
function wantedBy(answer: DeciderAnswer): Wanted {
  const { requestedDomMode: mode = 'full', needsScreenshot, needsSkeletonDom } = trustAsk(answer);
  return {
    screenshot: needsScreenshot ?? mode === 'hybrid',
    skeleton: needsSkeletonDom ?? (mode === 'hybrid' || mode === 'skeleton'),
    dom: mode === 'full',
  };
}

/** A request in `action` has the same fields beside it. */
function trustAsk(
  answer: DeciderAnswer,
): Pick<NeedsContext, 'requestedDomMode' | 'needsScreenshot' | 'needsSkeletonDom'> {
  return answer as Partial<NeedsContext>;
}
