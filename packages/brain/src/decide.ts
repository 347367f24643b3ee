import type { NeedsContext } from '@drawbridge/protocol';
import { stepActionOf, toolTitle } from '@drawbridge/protocol/sentences';
import { actionsFor, actionText, CHAIN_FEATURE, toolsFor } from './actions.ts';
import type { StepOptions, Usage } from './brain.ts';
import { addUsage, NOTHING_USED, pricedUsage } from './budget.ts';
import { type Artifact, askFor } from './context-ask.ts';
import { type Decision, decisionSchema, type Offer, parseDecision } from './decision.ts';
import {
  applyMemoryAction,
  type FactStore,
  isMemoryAction,
  MEMORY_FEATURE,
  type Remembered,
} from './facts.ts';
import { fenced } from './fence.ts';
import { mustAsk, refuses } from './irreversible.ts';
import type { Model, ModelMessage, Price } from './model.ts';
import { promptOf } from './prompt.ts';
import type { StepContext } from './step-context.ts';
import { systemPrompt } from './system-prompt.ts';
import { type Refusal, type Vetted, vetChain, vetResult, vetStep } from './vet.ts';

/** Outcome of a step. */
export type Outcome =
  | {
      readonly kind: 'act';
      readonly decision: Decision;
      readonly vetted: Vetted;
      /** Done right after it (INT-321). */
      readonly rest: readonly Vetted[];
    }
  | { readonly kind: 'memory'; readonly decision: Decision; readonly done: Remembered }
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
/** Memory actions in one step, for a client that does not see them. */
const MOST_MEMORY_ACTIONS = 5;
/** INT-94 */
const LEAST_CONFIDENCE = 0.7;
const CONFIDENCE_AFTER_FAILURE = 0.5;

/** Asks the model until its decision is valid, with the reason for each refusal. */
export async function decide(
  model: Model,
  price: Price | undefined,
  stepContext: StepContext,
  options: StepOptions,
): Promise<Decided> {
  const offer = offerTo(stepContext);
  const [system, schema] = [systemPrompt(offer), decisionSchema(offer)];
  const messages: ModelMessage[] = [promptOf(stepContext)];
  let usage = NOTHING_USED;
  let reason = '';
  let facts = stepContext.facts;
  let memoryActions = 0;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const answer = await model.ask({ system, messages, schema }, options);
    usage = addUsage(usage, pricedUsage(answer.usage, price));
    const decision = parseDecision(answer.object, offer);
    const outcome =
      typeof decision === 'string'
        ? { refused: decision }
        : checkDecision(decision, { ...stepContext, facts });
    if (!('refused' in outcome) && outcome.kind === 'memory') {
      ({ facts } = outcome.done);
      if (stepContext.request.features?.includes(MEMORY_FEATURE)) return { outcome, usage, facts };
      messages.push(said('assistant', JSON.stringify(answer.object ?? null)));
      messages.push(said('user', memoryWords(outcome.done, stepContext)));
      memoryActions += 1;
      if (memoryActions <= MOST_MEMORY_ACTIONS) attempt -= 1;
      reason = 'Too many facts were kept in a row.';
      continue;
    }
    if (!('refused' in outcome)) return { outcome, usage, facts };
    reason = outcome.refused;
    messages.push(said('assistant', JSON.stringify(answer.object ?? null)));
    messages.push(said('user', `That is refused: ${reason} Decide again.`));
  }
  return { outcome: { kind: 'stuck', reason }, usage, facts };
}

interface Decided {
  readonly outcome: Outcome;
  readonly usage: Usage;
  readonly facts: FactStore;
}

function offerTo({ request }: StepContext): Offer {
  return {
    actions: actionsFor(request),
    isChainable: request.features?.includes(CHAIN_FEATURE) ?? false,
    isChat: request.taskType === 'chat_only',
  };
}

/** A value was read from a page, so it is data. */
function memoryWords({ toolAction: { memoryResult } }: Remembered, { view }: StepContext): string {
  const { message, value } = memoryResult;
  const found = value === undefined ? '' : `\n${fenced('fact', view.origin, JSON.stringify(value))}`;
  return `${message}${found}\nDecide what to do next.`;
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
      return isMemoryAction(decision.action)
        ? { kind: 'memory', decision, done: applyMemoryAction(decision.action, decision, stepContext.facts) }
        : act(decision, stepContext);
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
  const rest = vetChain(decision, request, view, memory);
  if ('refused' in rest) return rest;
  if (!mustAsk(vetted.step, vetted.subject, request))
    return { kind: 'act', decision, vetted, rest: rest.links };
  const action = actionText(vetted.step);
  const wasAsked = memory.question?.action === action && words.length > 0;
  if (wasAsked && refuses(words))
    return { refused: 'The person has not agreed to that. Answer them with ask, find another way, or fail.' };
  if (wasAsked) return { kind: 'act', decision, vetted, rest: [] };
  const { name, args } = vetted.step.action;
  const tool = name === 'call' ? toolsFor(request).find((each) => each.name === args[0]) : undefined;
  const subject = toolTitle(tool?.description ?? '') || vetted.subject;
  const question = `${stepActionOf(action, subject)} on ${view.origin}? It may not be possible to undo it.`;
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
