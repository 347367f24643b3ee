import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median, printTable } from '../measure.ts';

/** How soon an endless expression is stopped, and how long it stalls the host's event loop. */

const LIMIT_MS = 250;
const TIMES = 5;

const BOMBS = {
  'endless tail call': '($f := function($x) { $f($x + 1) }; $f(0))',
  'endless mutual calls': '($f := function($x) { $g($x) }; $g := function($x) { $f($x) }; $f(0))',
  'map over a map over a map': '[1..900].([1..900].([1..900].($ * 2)))',
  'quadratic distinct': '$distinct([1..900000])',
  'sort with a comparator': '$sort([1..900000], function($a, $b) { $a < $b })',
  'shared list, compared': `${shared()} = ${shared()}`,
  'shared list, walked': `(${shared()}).**`,
  'group by every item': '[1..900000]{$string($): $}',
  'memory by the list': '[1..1000].[[1..900000]]',
} as const;

function shared(): string {
  return '$reduce([1..40], function($a, $b) { {"l": $a, "r": $a} }, [1])';
}

export async function benchHostileExpressions(): Promise<readonly Figure[]> {
  const evaluator = createWorkerEvaluator({ workers: 1, maxMs: LIMIT_MS });
  const stall = watchEventLoop();
  const ends: number[] = [];
  const timers: number[] = [];
  const recoveries: number[] = [];
  const rows: string[][] = [];
  for (const [name, bomb] of Object.entries(BOMBS)) {
    const own: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      recoveries.push(await millisecondsOf(() => evaluator.evaluate('1', {}, { maxMs: 60_000 })));
      timers.push(await millisecondsOf(() => new Promise((resolve) => setTimeout(resolve, LIMIT_MS))));
      own.push(await millisecondsOf(() => evaluator.evaluate(bomb, {}).catch(() => {})));
    }
    ends.push(...own);
    rows.push([name, median(own).toFixed(0), Math.max(...own).toFixed(0)]);
  }
  await evaluator.close();
  const worst = Math.max(...ends);
  console.log(`Hostile expressions, limit ${LIMIT_MS} ms, ${TIMES} times each`);
  printTable(['expression', 'median ms', 'worst ms'], rows);
  console.log(`ended after: median ${median(ends).toFixed(0)} ms, worst ${worst.toFixed(0)} ms`);
  const [usual, late] = [median(timers), Math.max(...timers)].map((ms) => ms.toFixed(0));
  console.log(`a bare timer of ${LIMIT_MS} ms: median ${usual} ms, worst ${late} ms`);
  console.log(
    `next expression answered after: median ${median(recoveries).toFixed(0)} ms (a new worker starts)`,
  );
  console.log(`longest stall of the host's event loop: ${stall.longestMs().toFixed(0)} ms`);
  stall.stop();
  return [
    figure({
      id: 'manifest.hostile',
      what: 'an expression that will not stop is stopped after',
      unit: 'ms',
      better: 'less',
      ours: median(ends),
      beside: [{ name: `a bare timer of ${LIMIT_MS} ms`, value: median(timers) }],
      must: { ratio: 1.5 },
      // The maximum includes the timer delay of this machine.
      how: `median of ${rows.length} expressions, ${TIMES} times each, with a limit of ${LIMIT_MS} ms`,
    }),
  ];
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function watchEventLoop() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  return { longestMs: () => longest, stop: () => clearInterval(timer) };
}
