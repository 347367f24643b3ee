import { type Brain, type Budgets, DEFAULT_BUDGETS, type Spent, type StepInput } from './brain.ts';
import { exhausted, NOTHING_USED } from './budget.ts';
import { askFor } from './context-ask.ts';
import { decide, type Outcome } from './decide.ts';
import { needsScreenshot } from './mode-selection.ts';
import type { Model, Prices } from './model.ts';
import { stepFrom } from './step-answer.ts';
import { type StepContext, stepContextOf } from './step-context.ts';

export interface BrainOptions {
  readonly model: Model;
  readonly budgets?: Partial<Budgets>;
  readonly prices?: Prices;
}

/** Consecutive failures before the person is asked. */
const MOST_FAILURES = 3;

/** A brain with a model: judges the last action, asks the model, validates its decision. */
export function createBrain({ model, budgets, prices = {} }: BrainOptions): Brain {
  return {
    name: model.id.replace('/', ' '),
    step: async (input, options = {}) => {
      const stepContext = stepContextOf(input);
      const limits = { ...DEFAULT_BUDGETS, ...budgets, ...input.budgets };
      const spent = input.memory?.spent ?? { ...NOTHING_USED, steps: 0, began: input.now };
      const early =
        budgetIsUp(stepContext, spent, limits, input) ??
        tooManyFailures(stepContext) ??
        stepNeedsScreenshot(stepContext);
      if (early !== undefined) return stepFrom(early, stepContext, spent, NOTHING_USED, input.now);
      const { outcome, usage, facts } = await decide(model, prices[model.id], stepContext, options);
      const settled = outcome.kind === 'stuck' ? stuck(stepContext, outcome.reason) : outcome;
      const step = stepFrom(settled, { ...stepContext, facts }, spent, usage, input.now);
      return facts.session === stepContext.facts.session ? step : { ...step, facts: facts.session };
    },
  };
}

type Early = Exclude<Outcome, { kind: 'stuck' }>;

function budgetIsUp(
  { memory }: StepContext,
  spent: Spent,
  limits: Budgets,
  { now }: StepInput,
): Early | undefined {
  const used = exhausted(spent, limits, now);
  if (used === undefined) return undefined;
  return { kind: 'fail', reason: `The task used ${used}. ${doneSoFar(memory)}` };
}

function tooManyFailures(stepContext: StepContext): Early | undefined {
  const { memory, words, verdict } = stepContext;
  if (memory.failures < MOST_FAILURES || words.length > 0) return undefined;
  return stuck(
    stepContext,
    `${memory.failures} actions in a row failed, the last because ${verdict?.reasons[0] ?? 'it had no effect'}.`,
  );
}

/** Asks the person the first time, ends the task the second time. */
function stuck({ memory }: StepContext, reason: string): Early {
  if (memory.wasStuck) return { kind: 'fail', reason: `${reason} ${doneSoFar(memory)}` };
  return {
    kind: 'ask',
    question: `I am stuck: ${reason} How should I go on?`,
    missing: ['how to go on'],
    isStuck: true,
  };
}

/** INT-97. Once per task: later the model itself requests a picture. */
function stepNeedsScreenshot({ request, before, words }: StepContext): Early | undefined {
  const isFirst = before.log.length === 0 && before.seen === undefined;
  if (request.taskType === 'chat_only') return undefined;
  if (!isFirst || (request.interactiveTree ?? request.semanticNodes) === undefined) return undefined;
  if (!needsScreenshot([before.goal, ...words].join('\n'))) return undefined;
  const reason = 'The task speaks of how something looks, and the semantic tree does not tell that.';
  const ask = askFor('picture', request, before.asked, reason);
  return ask && { kind: 'context', artifact: 'picture', ask };
}

function doneSoFar({ log }: StepContext['memory']): string {
  const done = log
    .filter(({ said }) => said === undefined)
    .map(({ action, subject }) => `${action}${subject ? ` "${subject}"` : ''}`);
  return done.length === 0 ? 'Nothing was done.' : `Done until then: ${done.slice(-10).join(', ')}.`;
}
