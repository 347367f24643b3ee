import type { NextStep, Plan } from '@drawbridge/protocol';
import { actionText, detailsOf, toolsFor } from './actions.ts';
import type { Spent, Step, StepAnswer, Usage } from './brain.ts';
import { addUsage } from './budget.ts';
import { chainOf } from './chain.ts';
import type { Outcome } from './decide.ts';
import type { Decision } from './decision.ts';
import { outcomeForClient } from './expected-outcome.ts';
import {
  LONGEST_ACTION,
  type LogEntry,
  type Memory,
  memoryOf,
  stateBefore,
  tryKey,
  withWords,
} from './memory.ts';
import { movedPlan, type PlanMove } from './plan.ts';
import { selectorPathOf } from './selector-path.ts';
import type { StepContext } from './step-context.ts';

type Settled = Exclude<Outcome, { kind: 'stuck' }>;

/** The answer to a client and the new memory. */
export function stepFrom(
  outcome: Settled,
  stepContext: StepContext,
  spent: Spent,
  usage: Usage,
  now: number,
): Step {
  const total = { ...spent, ...addUsage(spent, usage) };
  if (outcome.kind === 'context') {
    const { before, words, plan } = stepContext;
    const asked = [...before.asked, outcome.artifact];
    return { answer: outcome.ask, usage, memory: memoryOf({ ...before, asked, heard: words }, total, plan) };
  }
  const plan = planAfter(outcome, stepContext, now);
  const memory = memoryOf(memoryAfter(outcome, stepContext), { ...total, steps: spent.steps + 1 }, plan);
  return {
    memory,
    answer: { ...answerTo(outcome, stepContext, plan), ...planFields(plan) },
    usage,
    ...confidenceOf(outcome),
  };
}

type Decided = Exclude<Settled, { kind: 'context' }>;

/** Only a model that was sure to some degree gives a confidence. */
function confidenceOf(outcome: Decided): Pick<Step, 'confidence'> {
  const { confidence = 0 } = outcome.kind === 'ask' ? (outcome.decision ?? {}) : {};
  return confidence > 0 && confidence <= 1 ? { confidence } : {};
}

function answerTo(outcome: Decided, { verdict, view }: StepContext, plan: Plan | undefined): StepAnswer {
  const thought = outcome.decision?.thought ?? '';
  switch (outcome.kind) {
    case 'finish': {
      const { decision, result } = outcome;
      const beside = result === '' ? {} : { result };
      return { thought: decision.text || thought, action: 'finish()', status: 'completed', ...beside };
    }
    case 'fail':
      return {
        thought: thought || outcome.reason,
        action: 'fail()',
        status: 'failed',
        reasoning: outcome.reason,
      };
    case 'ask': {
      const missing = outcome.missing.length === 0 ? {} : { missingInformation: [...outcome.missing] };
      return { status: 'needs_user_input', thought, userQuestion: outcome.question, ...missing };
    }
    case 'memory': {
      const { action, toolAction } = outcome.done;
      return { thought, action, toolAction, status: 'executing' };
    }
    case 'act': {
      const { step } = outcome.vetted;
      const selector = step.elementId === undefined ? undefined : selectorPathOf(view.html, step.elementId);
      return {
        thought,
        action: actionText(step),
        actionDetails: detailsOf(step, selector),
        status: STATUS[verdict?.outcome ?? 'passed'],
        ...(outcome.rest.length > 0 && chainOf([outcome.vetted, ...outcome.rest], plan)),
        ...(verdict !== undefined && {
          reasoning: `Last action ${verdict.outcome}: ${verdict.reasons.join('; ')}`,
        }),
      };
    }
  }
}

const STATUS = { passed: 'executing', unclear: 'verifying', failed: 'correcting' } as const;

function planAfter(
  outcome: Decided,
  { plan, memory, verdict, request, view }: StepContext,
  now: number,
): Plan | undefined {
  if (outcome.kind === 'ask') return plan;
  const { decision } = outcome;
  if (decision === undefined && plan === undefined) return undefined;
  const move: PlanMove = {
    steps: decision?.plan ?? [],
    currentIsDone: decision?.stepDone ?? false,
    lastFailed: verdict?.outcome === 'failed',
    toolType: toolsFor(request).length > 0 ? 'MIXED' : 'DOM',
    ...(outcome.kind === 'finish' && { ends: 'completed' }),
    ...(outcome.kind === 'fail' && { ends: 'failed' }),
    ...(outcome.kind === 'act' && { expected: forClient(outcome.decision, view.nodes) }),
  };
  return movedPlan(plan, move, memory.goal, now);
}

const forClient = ({ expected }: Decision, nodes: StepContext['view']['nodes']) =>
  expected && outcomeForClient(expected, nodes);

/** INT-130, INT-133 */
function planFields(plan: Plan | undefined): Pick<NextStep, 'plan' | 'currentStep' | 'totalSteps'> {
  return plan === undefined
    ? {}
    : { plan, currentStep: plan.currentStepIndex, totalSteps: plan.steps.length };
}

function memoryAfter(outcome: Decided, stepContext: StepContext): Memory {
  const { request, view, words, facts } = stepContext;
  const { question: _answered, last: _judged, ...kept } = withWords(stepContext.memory, words);
  const memory: Memory = {
    ...kept,
    query: request.query,
    asked: [],
    heard: [],
    ...(Object.keys(facts.task).length > 0 && { facts: facts.task }),
    ...(typeof request.screenshot === 'string' && { seen: request.screenshotHash ?? 'seen' }),
  };
  if (outcome.kind === 'ask') {
    const { question: text, action, isStuck = false } = outcome;
    return {
      ...memory,
      wasStuck: memory.wasStuck || isStuck,
      question: { text, ...(action !== undefined && { action }) },
    };
  }
  if (outcome.kind === 'memory') {
    const { action, toolAction } = outcome.done;
    const { success, message } = toolAction.memoryResult;
    const entry: LogEntry = {
      action: action.slice(0, LONGEST_ACTION),
      outcome: success ? 'passed' : 'failed',
      note: message,
    };
    return { ...memory, log: [...memory.log, entry] };
  }
  if (outcome.kind !== 'act') return memory;
  const { decision, vetted, rest } = outcome;
  const action = actionText(vetted.step);
  const all = [vetted, ...rest];
  return {
    ...memory,
    log: [
      ...memory.log,
      ...all.map(({ step, subject }) => ({
        action: actionText(step).slice(0, LONGEST_ACTION),
        ...(subject !== undefined && { subject }),
      })),
    ],
    tried: [...memory.tried, ...all.map(({ step }) => ({ key: tryKey(actionText(step), view) }))],
    last: {
      action,
      ...(rest.length > 0 && { chain: all.map(({ step }) => actionText(step)) }),
      ...stateBefore(view, request.dom_filtered === true),
      ...(request.scrollPosition !== undefined && { scrollPosition: request.scrollPosition }),
      ...(decision.expected !== undefined && { expected: decision.expected }),
    },
  };
}
