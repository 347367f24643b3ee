import { type Figure, figure } from '../../scripts/bench/figure.ts';
import type { Overhead } from './interact-overhead.ts';
import { totalOf } from './report.ts';
import type { TaskTokens } from './shop-tokens.ts';

export function taskFigure(tasks: readonly TaskTokens[]): Figure {
  const { read, peer } = totalOf(tasks);
  return figure({
    id: 'task.tokens',
    headline: 'Tokens that a model reads in fifteen shop tasks',
    what: `all that a model reads in ${tasks.length} tasks`,
    unit: 'tokens',
    better: 'less',
    ours: read,
    beside: [peer && { name: 'snapshots of @playwright/mcp', value: peer.read, isPeer: true }],
    must: { ratio: 1 },
    how: 'o200k; the same questions with the peer’s snapshot of that moment in place of our page and tools',
  });
}

export function interactFigures(
  calls: number,
  bare: Overhead | undefined,
  steps: readonly { readonly elements: number; readonly overhead: Overhead | undefined }[],
): readonly Figure[] {
  return steps.map(({ elements, overhead }) =>
    figure({
      id: `task.interact.${elements}`,
      what: `the relay’s share of a step, ${elements} elements`,
      unit: 'ms',
      better: 'less',
      ours: overhead?.median,
      beside: [bare && { name: 'a call that decides and stores nothing', value: bare.median }],
      how: `median of ${calls} calls by HTTP, one after another, when deciding takes no time`,
    }),
  );
}
