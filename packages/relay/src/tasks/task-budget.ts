import { type Budgets, DEFAULT_BUDGETS, type Spent, type Usage } from '@drawbridge/brain';
import type { TaskOrder } from './task-order.ts';

/** Usage of a task so far. The cost is in US dollars, and unknown when its model has no price. */
export interface TaskUsage extends Usage {
  readonly steps: number;
  readonly tokens: number;
}

export function budgetOf({ limits = {}, timeout_ms }: Omit<TaskOrder, 'priority'>): Budgets {
  const { max_steps = DEFAULT_BUDGETS.steps, max_tokens = DEFAULT_BUDGETS.tokens, max_cost } = limits;
  return {
    ...{ steps: max_steps, tokens: max_tokens, time_ms: timeout_ms },
    ...(max_cost !== undefined && { cost: max_cost }),
  };
}

export function usageOf({ steps, input_tokens, output_tokens, cached_tokens, cost }: Spent): TaskUsage {
  return {
    ...{ steps, tokens: input_tokens + output_tokens, input_tokens, output_tokens, cached_tokens },
    ...(cost !== undefined && { cost }),
  };
}
