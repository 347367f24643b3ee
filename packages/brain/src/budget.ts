import type { Budgets, Spent, Usage } from './brain.ts';
import type { Price, Tokens } from './model.ts';

export const NOTHING_USED: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

/** A sum has a cost only if one of its parts has one. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0);
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    ...(cost !== undefined && { cost }),
  };
}

export function pricedUsage(tokens: Tokens, price: Price | undefined): Usage {
  if (price === undefined) return tokens;
  const fresh = tokens.input_tokens - tokens.cached_tokens;
  const millionths =
    fresh * price.input +
    tokens.cached_tokens * (price.cached ?? price.input) +
    tokens.output_tokens * price.output;
  return { ...tokens, cost: millionths / 1_000_000 };
}

/** Describes the exhausted budget; undefined while some is left of each. */
export function exhausted(spent: Spent, budgets: Budgets, now: number): string | undefined {
  const tokens = spent.input_tokens + spent.output_tokens;
  if (spent.steps >= budgets.steps) return `all ${budgets.steps} steps of its budget`;
  if (tokens >= budgets.tokens) return `${tokens} tokens of a budget of ${budgets.tokens}`;
  if (now - spent.began >= budgets.time_ms)
    return `all ${Math.round(budgets.time_ms / 1000)} s of its budget`;
  if (budgets.cost !== undefined && (spent.cost ?? 0) >= budgets.cost)
    return `$${(spent.cost ?? 0).toFixed(2)} of a budget of $${budgets.cost.toFixed(2)}`;
  return undefined;
}
