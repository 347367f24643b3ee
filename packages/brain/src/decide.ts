import type { NeedsContext } from '@drawbridge/protocol';
import { actionsFor, actionText } from './actions.ts';
import type { StepOptions, Usage } from './brain.ts';
import { addUsage, NOTHING_USED, pricedUsage } from './budget.ts';
import { type Artifact, askFor } from './context-ask.ts';
import { type Decision, decisionSchema, parseDecision } from './decision.ts';
import { mustAsk, refuses } from './irreversible.ts';
import type { Model, ModelMessage, Price } from './model.ts';
import { promptOf } from './prompt.ts';
import type { StepContext } from './step-context.ts';
import { systemPrompt } from './system-prompt.ts';
import { type Refusal, type Vetted, vetResult, vetStep } from './vet.ts';

/** Outcome of a step. */
export type Outcome =
  | { readonly kind: 'act'; readonly decision: Decision; readonly vetted: Vetted }
  | { readonly kind: 'finish'; readonly decision: Decision; readonly result: unknown }
  | { readonly kind: 'fail'; readonly reason: string; readonly decision?: Decision }
  | {
      readonly kind: 'ask';
      readonly question: string;
      readonly missing: readonly string[];
      readonly decision?: Decision;
      readonly isStuck?: boolean;
      /** An action that waits for the person's consent. */
      readonly action?: string;
    }
  | { readonly kind: 'context'; readonly artifact: Artifact; readonly ask: NeedsContext }
  /** The model gave no valid decision. */
  | { readonly kind: 'stuck'; readonly reason: string };

const MOST_ATTEMPTS = 3;
/** INT-94 */
const LEAST_CONFIDENCE = 0.7;
const CONFIDENCE_AFTER_FAILURE = 0.5;

/** Asks the model until its decision is valid, with the reason for each refusal. */
export async function decide(
  model: Model,
  price: Price | undefined,
  stepContext: StepContext,
  options: StepOptions,
): Promise<{ readonly outcome: Outcome; readonly usage: Usage }> {
  const actions = actionsFor(stepContext.request);
  const [system, schema] = [systemPrompt(actions), decisionSchema(actions)];
  const messages: ModelMessage[] = [promptOf(stepContext)];
  let usage = NOTHING_USED;
  let reason = '';
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const answer = await model.ask({ system, messages, schema }, options);
    usage = addUsage(usage, pricedUsage(answer.usage, price));
    const decision = parseDecision(answer.object, actions);
    const outcome =
      typeof decision === 'string' ? { refused: decision } : checkDecision(decision, stepContext);
    if (!('refused' in outcome)) return { outcome, usage };
    reason = outcome.refused;
    messages.push(said('assistant', JSON.stringify(answer.object ?? null)));
    messages.push(said('user', `That is refused: ${reason} Decide again.`));
  }
  return { outcome: { kind: 'stuck', reason }, usage };
}

function checkDecision(decision: Decision, stepContext: StepContext): Outcome | Refusal {
  const { text } = decision;
  switch (decision.action) {
    case 'ask':
      if (text === '') return { refused: 'ask needs the question in "text".' };
      return { kind: 'ask', question: text, missing: missingIn(decision), decision };
    case 'need_picture':
      return context('picture', text || 'The page has to be seen.', stepContext);
    case 'need_full_dom':
      return context('full_dom', text || 'The page part is not enough.', stepContext);
    case 'fail':
      return { kind: 'fail', reason: text || decision.thought, decision };
    case 'finish':
      return finish(decision, stepContext);
    default:
      return act(decision, stepContext);
  }
}

function finish(decision: Decision, { schema, verdict }: StepContext): Outcome | Refusal {
  const failed = verdict?.outcome === 'failed';
  const confidence = failed ? Math.min(decision.confidence, CONFIDENCE_AFTER_FAILURE) : decision.confidence;
  if (confidence < LEAST_CONFIDENCE) {
    const why = failed ? 'the last action was judged as failed' : `your confidence is ${decision.confidence}`;
    return { refused: `It does not count as done: ${why}. Make sure of it in the page, ask, or fail.` };
  }
  const checked = vetResult(decision, schema);
  return 'refused' in checked ? checked : { kind: 'finish', decision, result: checked.result };
}

/** INT-143: asks the person here when the client does not ask before irreversible actions. */
function act(decision: Decision, stepContext: StepContext): Outcome | Refusal {
  const { request, view, memory, words } = stepContext;
  const vetted = vetStep(decision, request, view, memory);
  if ('refused' in vetted) return vetted;
  if (!mustAsk(vetted.step, vetted.subject, request)) return { kind: 'act', decision, vetted };
  const action = actionText(vetted.step);
  const wasAsked = memory.question?.action === action && words.length > 0;
  if (wasAsked && refuses(words))
    return { refused: 'The person has not agreed to that. Answer them with ask, find another way, or fail.' };
  if (wasAsked) return { kind: 'act', decision, vetted };
  const question = `May I use "${vetted.subject ?? action}" on ${view.origin}? It may not be possible to undo it.`;
  return { kind: 'ask', question, missing: ['your agreement'], decision, action };
}

function context(artifact: Artifact, reason: string, { request, before }: StepContext): Outcome | Refusal {
  const ask = askFor(artifact, request, before.asked, reason);
  if (ask !== undefined) return { kind: 'context', artifact, ask };
  return { refused: 'There is no more of the page to be had in this step. Decide with what you have.' };
}

/** Uses the model's list in `json` if there is one; otherwise the question alone. */
function missingIn({ json }: Decision): string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

const said = (role: ModelMessage['role'], text: string): ModelMessage => ({
  role,
  parts: [{ type: 'text', text }],
});
