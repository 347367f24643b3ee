import { counted } from '../map/paint.ts';

interface Counts {
  readonly steps: number;
  readonly tokens: number;
  readonly cost?: number;
}

interface Spending {
  readonly steps: number;
  readonly usage?: Counts;
  readonly budget?: Counts;
}

/** Usage of a task's budget: `6 of 50 steps`, `9.8 k of 500 k tokens`, `$0.02 of $1.00`. */
export function spentOf({ steps, usage, budget }: Spending): string[] {
  const done = usage?.steps ?? steps;
  const all = budget === undefined ? counted(done, 'step') : `${done} of ${counted(budget.steps, 'step')}`;
  if (usage === undefined) return [all];
  const tokens = `${short(usage.tokens)}${budget ? ` of ${short(budget.tokens)}` : ''} tokens`;
  if (usage.cost === undefined) return [all, tokens, 'cost unknown'];
  const most = budget?.cost === undefined ? '' : ` of ${dollars(budget.cost)}`;
  return [all, tokens, `${dollars(usage.cost)}${most}`];
}

const dollars = (cost: number): string => `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;

function short(count: number): string {
  if (count < 1_000) return `${count}`;
  const [parts, unit] = count < 999_950 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${Number(parts.toFixed(1))} ${unit}`;
}
