import type { NextStep, Plan } from '@drawbridge/protocol';
import { actionText, detailsOf, toolsFor } from './actions.ts';
import type { Spent, Step, StepAnswer, Usage } from './brain.ts';
import { addUsage } from './budget.ts';
import type { Outcome } from './decide.ts';
import type { Decision } from './decision.ts';
import { outcomeForClient } from './expected-outcome.ts';
import { LONGEST_ACTION, memoryOf, type Notes, stateBefore, tryKey, withWords } from './notes.ts';
import { movedPlan, type PlanMove } from './plan.ts';
import type { Scene } from './scene.ts';
import { selectorPathOf } from './selector-path.ts';

type Settled = Exclude<Outcome, { kind: 'stuck' }>;

/** The answer to a client and the new memory. */
export function stepFrom(outcome: Settled, scene: Scene, spent: Spent, usage: Usage, now: number): Step {
  const total = { ...spent, ...addUsage(spent, usage) };
  if (outcome.kind === 'context') {
    const { before, words, plan } = scene;
    const asked = [...before.asked, outcome.artifact];
    return { answer: outcome.ask, usage, memory: memoryOf({ ...before, asked, heard: words }, total, plan) };
  }
  const plan = planAfter(outcome, scene, now);
  const memory = memoryOf(notesAfter(outcome, scene), { ...total, steps: spent.steps + 1 }, plan);
  return { memory, answer: { ...answerTo(outcome, scene), ...planFields(plan) }, usage };
}

type Decided = Exclude<Settled, { kind: 'context' }>;

function answerTo(outcome: Decided, { verdict, view }: Scene): StepAnswer {
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
    case 'act': {
      const { step } = outcome.vetted;
      const selector = step.elementId === undefined ? undefined : selectorPathOf(view.html, step.elementId);
      return {
        thought,
        action: actionText(step),
        actionDetails: detailsOf(step, selector),
        status: STATUS[verdict?.outcome ?? 'passed'],
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
  { plan, notes, verdict, request, view }: Scene,
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
  return movedPlan(plan, move, notes.goal, now);
}

const forClient = ({ expected }: Decision, nodes: Scene['view']['nodes']) =>
  expected && outcomeForClient(expected, nodes);

/** INT-130, INT-133 */
function planFields(plan: Plan | undefined): Pick<NextStep, 'plan' | 'currentStep' | 'totalSteps'> {
  return plan === undefined
    ? {}
    : { plan, currentStep: plan.currentStepIndex, totalSteps: plan.steps.length };
}

function notesAfter(outcome: Decided, scene: Scene): Notes {
  const { request, view, words } = scene;
  const { question: _answered, last: _judged, ...kept } = withWords(scene.notes, words);
  const notes: Notes = {
    ...kept,
    query: request.query,
    asked: [],
    heard: [],
    ...(typeof request.screenshot === 'string' && { seen: request.screenshotHash ?? 'seen' }),
  };
  if (outcome.kind === 'ask') {
    const { question: text, action, isStuck = false } = outcome;
    return {
      ...notes,
      wasStuck: notes.wasStuck || isStuck,
      question: { text, ...(action !== undefined && { action }) },
    };
  }
  if (outcome.kind !== 'act') return notes;
  const { decision, vetted } = outcome;
  const action = actionText(vetted.step);
  return {
    ...notes,
    log: [
      ...notes.log,
      {
        action: action.slice(0, LONGEST_ACTION),
        ...(vetted.subject !== undefined && { subject: vetted.subject }),
      },
    ],
    tried: [...notes.tried, { key: tryKey(action, view) }],
    last: {
      action,
      ...stateBefore(view, request.dom_filtered === true),
      ...(request.scrollPosition !== undefined && { scrollPosition: request.scrollPosition }),
      ...(decision.expected !== undefined && { expected: decision.expected }),
    },
  };
}
