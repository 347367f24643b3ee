import type { Plan, PlanStep } from '@drawbridge/protocol';
import { atomicSteps } from './atomic-steps.ts';

/** A decision's change to the plan. */
export interface PlanMove {
  /** Remaining steps, the current one first; empty to keep the plan. */
  readonly steps: readonly string[];
  readonly currentIsDone: boolean;
  /** The last action failed: the current step is not done, whatever the model says (INT-90, INT-92). */
  readonly lastFailed: boolean;
  readonly ends?: 'completed' | 'failed';
  /** Expected outcome of the decided action, in the client's form. */
  readonly expected?: Record<string, unknown> | undefined;
  readonly toolType: 'DOM' | 'MIXED';
}

const MOST_STEPS = 30;
const LONGEST_STEP = 300;

export function movedPlan(plan: Plan | undefined, given: PlanMove, goal: string, now: number): Plan {
  const move = { ...given, steps: given.steps.flatMap(atomicSteps) };
  const begun = plan ?? startedPlan(move, goal, now);
  const replanned = plan === undefined || move.steps.length === 0 ? begun : withNewSteps(begun, move);
  const isFurther = replanned === begun && plan !== undefined && move.currentIsDone && !move.lastFailed;
  const last = begun.steps.length - 1;
  const index = isFurther ? Math.min(begun.currentStepIndex + 1, last) : replanned.currentStepIndex;
  return withStatuses(replanned, index, move);
}

function startedPlan(move: PlanMove, goal: string, now: number): Plan {
  const steps = move.steps.length > 0 ? move.steps : [goal];
  return {
    steps: steps.slice(0, MOST_STEPS).map((text) => newStep(text, move)),
    currentStepIndex: 0,
    createdAt: new Date(now).toISOString(),
  };
}

/** Keeps finished steps; a failed or done current step is finished too. */
function withNewSteps(plan: Plan, move: PlanMove): Plan {
  const over = plan.steps.slice(0, plan.currentStepIndex);
  const current = plan.steps[plan.currentStepIndex];
  if (current !== undefined && (move.lastFailed || move.currentIsDone))
    over.push({ ...current, status: move.lastFailed ? 'failed' : 'completed' });
  const kept = over.slice(-MOST_STEPS);
  const fresh = move.steps.slice(0, MOST_STEPS).map((text) => newStep(text, move));
  return { ...plan, steps: [...kept, ...fresh], currentStepIndex: kept.length };
}

/** INT-131 to INT-134 */
function withStatuses(plan: Plan, index: number, { ends, expected }: PlanMove): Plan {
  const current = ends === 'completed' ? Math.max(plan.steps.length - 1, 0) : index;
  const steps = plan.steps.map(({ expectedOutcome: _old, ...step }, place): PlanStep => {
    const placed = { ...step, id: `step_${place}`, index: place };
    if (place < current) return { ...placed, status: step.status === 'failed' ? 'failed' : 'completed' };
    if (place > current) return { ...placed, status: 'pending' };
    return {
      ...placed,
      status: ends ?? 'active',
      ...(expected !== undefined && { expectedOutcome: expected }),
    };
  });
  return { ...plan, steps, currentStepIndex: current };
}

const newStep = (text: string, { toolType }: PlanMove): PlanStep => ({
  id: '',
  index: 0,
  description: text.slice(0, LONGEST_STEP),
  status: 'pending',
  toolType,
});
