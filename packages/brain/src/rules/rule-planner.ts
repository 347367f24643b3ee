import { type ActionDetails, formatAction, type Plan } from '@drawbridge/protocol';
import type { Brain, Spent, Step, StepAnswer, StepInput } from '../brain.ts';
import { type PageView, viewOf } from '../page-view.ts';
import { readAnswer } from './answer-reading.ts';
import { intentsOf } from './grammar.ts';
import { describeIntent, type Intent } from './intent.ts';
import { play } from './play.ts';
import { placeOf } from './play-search.ts';
import { advance, begin, MOST_MISSES, settle } from './progress.ts';
import { whyNot } from './reasons.ts';
import type { Act, Ask, Move } from './rule-context.ts';
import { parseState, type RuleState, startState } from './rule-state.ts';
import { resultOf } from './task-result.ts';

/** A brain without a model: plain requests, matched to names and roles on the page and the site's tools. */
export function createRulePlanner(): Brain {
  return {
    name: 'rules',
    async step(input, options) {
      const { state, outcome } = decide(input);
      const step = answered(input, state, outcome);
      if (step.answer.thought !== undefined) options?.onThought?.(step.answer.thought);
      return step;
    },
  };
}

type Outcome =
  | Act
  | Ask
  | { readonly kind: 'fail'; readonly thought: string }
  | { readonly kind: 'finish'; readonly thought: string; readonly result?: unknown };

interface Decided {
  readonly state: RuleState;
  readonly outcome: Outcome;
}

function decide(input: StepInput): Decided {
  const { request } = input;
  const known = parseState(input.memory?.['rules']);
  const start = known ?? startState(intentsOf(request.query));
  const unclear = known === undefined ? start.intents.find(({ kind }) => kind === 'decline') : undefined;
  if (start.intents.length === 0)
    return { state: start, outcome: { kind: 'fail', thought: whyNot(request.query) } };
  if (unclear?.kind === 'decline')
    return { state: start, outcome: { kind: 'fail', thought: whyNot(unclear.words) } };
  const page = viewOf(request);
  const judged = settle(start, request, page);
  if (judged.kind === 'refused')
    return { state: start, outcome: { kind: 'fail', thought: `That was not allowed: ${judged.problem}` } };
  const heard = readAnswer(judged.state, input.said);
  if (heard === undefined)
    return { state: judged.state, outcome: { kind: 'fail', thought: 'Stopped, as you said.' } };
  return playOn(heard, input, page);
}

/** Runs the steps until one needs the page or the person. */
function playOn(from: RuleState, input: StepInput, page: PageView): Decided {
  let state = from;
  for (;;) {
    const intent = state.intents[state.at];
    if (intent === undefined) return { state, outcome: ending(state, input) };
    state = remembered(state, intent, page);
    const move = next(state, intent, input, page);
    if (move.kind === 'done') state = advance(state, move);
    else if (move.kind === 'act') {
      const { asked: _answered, ...going } = state;
      const begun = begin(going, move, formatAction(move.action), input.request, page);
      return { state: begun, outcome: move };
    } else if (move.kind === 'ask') {
      const candidates = (move.candidates ?? []).map(({ i, r, n }) => ({ i, r, n }));
      return {
        state: { ...state, asked: { candidates, values: move.missing !== undefined } },
        outcome: move,
      };
    } else return { state, outcome: move };
  }
}

function next(state: RuleState, intent: Intent, { request }: StepInput, page: PageView): Move {
  const { misses, problem } = state.step;
  if (misses >= MOST_MISSES) return whatNow(intent, problem);
  const hasTree = request.interactiveTree !== undefined || request.semanticNodes !== undefined;
  if (!hasTree && intent.kind !== 'navigate')
    return {
      kind: 'fail',
      thought: 'I work on the semantic tree of a page, and this client sent none: set a model key.',
    };
  const move = play(intent, {
    request,
    page,
    features: new Set(request.features),
    tools: request.tools ?? [],
    state,
    next: state.intents.slice(state.at + 1),
  });
  return move.kind === 'fail' && misses > 0 ? whatNow(intent, problem) : move;
}

const whatNow = (intent: Intent, problem = 'The action failed.'): Ask => ({
  kind: 'ask',
  question: `“${describeIntent(intent)}” did not work. ${problem} Should I try again, skip it, or do something else?`,
});

const MOST_NAMES = 300;

/** Records the page before a search, to recognize its results. */
function remembered(state: RuleState, intent: Intent, page: PageView): RuleState {
  const { did, misses } = state.step;
  if (intent.kind !== 'search' || did.length > 0 || misses > 0) return state;
  return { ...state, search: { words: intent.words, before: page.nodes.slice(0, MOST_NAMES).map(placeOf) } };
}

function ending(state: RuleState, { schema }: StepInput): Outcome {
  const result = resultOf(state, schema);
  if (!result.ok)
    return {
      kind: 'fail',
      thought: `The steps are done, but to read ${result.missing} from the page takes a model: set a model key.`,
    };
  const found = state.found.map(({ what, value }) => `The ${what} is ${value}.`).join(' ');
  const { value } = result;
  return { kind: 'finish', thought: found || 'Done.', ...(value !== undefined && { result: value }) };
}

function answered({ memory, now }: StepInput, state: RuleState, outcome: Outcome): Step {
  const plan = planOf(state, outcome, memory?.plan?.createdAt ?? new Date(now).toISOString());
  const spent = spentSoFar(memory?.spent, now);
  const beside = { plan, currentStep: plan.currentStepIndex, totalSteps: plan.steps.length };
  return { memory: { plan, spent, rules: state }, answer: answerOf(outcome, beside, state), usage: NOTHING };
}

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

const spentSoFar = (spent: Spent | undefined, now: number): Spent => ({
  ...NOTHING,
  ...spent,
  steps: (spent?.steps ?? 0) + 1,
  began: spent?.began ?? now,
});

type Beside = Pick<StepAnswer, 'plan' | 'currentStep' | 'totalSteps'>;

function answerOf(outcome: Outcome, beside: Beside, { step }: RuleState): StepAnswer {
  switch (outcome.kind) {
    case 'act':
      return {
        thought: outcome.thought,
        action: formatAction(outcome.action),
        actionDetails: detailsOf(outcome),
        status: step.misses > 0 ? 'correcting' : 'executing',
        ...beside,
      };
    case 'ask': {
      const { question, missing } = outcome;
      const missingInformation = missing === undefined ? {} : { missingInformation: [...missing] };
      return {
        status: 'needs_user_input',
        thought: question,
        userQuestion: question,
        ...missingInformation,
        ...beside,
      };
    }
    case 'fail':
      return { thought: outcome.thought, action: 'fail()', status: 'failed', ...beside };
    case 'finish': {
      const { thought, result } = outcome;
      return {
        thought,
        action: 'finish()',
        status: 'completed',
        ...(result !== undefined && { result }),
        ...beside,
      };
    }
  }
}

/** INT-125: the action again, with named arguments. */
function detailsOf({ action: { name, args }, node }: Act): ActionDetails {
  const [first, second] = args;
  if (name === 'call') return { name, args: { tool: first, arguments: second } };
  if (name === 'navigate') return { name, args: { url: first } };
  if (node === undefined) return { name };
  const elementId = /^\d+$/.test(node.i) ? Number(node.i) : node.i;
  return { name, elementId, ...(second !== undefined && { args: { value: second } }) };
}

function planOf({ intents, at }: RuleState, { kind }: Outcome, createdAt: string): Plan {
  const current = Math.min(at, Math.max(0, intents.length - 1));
  const steps = intents.map((intent, index): Plan['steps'][number] => ({
    id: `step_${index}`,
    index,
    description: describeIntent(intent),
    status: index < at ? 'completed' : index > current ? 'pending' : kind === 'fail' ? 'failed' : 'active',
    toolType: 'DOM',
  }));
  return { steps, currentStepIndex: current, createdAt };
}
