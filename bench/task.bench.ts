import { parseArgs } from 'node:util';
import { startChromium } from './page/chromium.ts';
import { benchmark } from './report.ts';
import { interactFigures, taskFigure } from './task/figures.ts';
import { measureInteract } from './task/interact-overhead.ts';
import { printOverheads, printTasks } from './task/report.ts';
import { measureShopTasks, type TaskTokens } from './task/shop-tokens.ts';

/**
 * Tokens that a model reads in the fifteen shop tasks, beside the same tasks with the snapshots of
 * @playwright/mcp in the same run; and the relay's overhead per step. `--calls N` of interact, `--no-peers`
 * without the peer, `--only tokens` or `--only relay` runs half of it.
 */

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

/** Elements on the page of a step. */
const [FEW, MANY] = [40, 400];

await benchmark(async (report) => {
  if (values.only !== 'relay') report.add(taskFigure(await shopTasks()));
  if (!values.peers) report.didNotRun('the peer: left out by --no-peers');
  if (values.only === 'tokens') return;
  const calls = Number(values.calls);
  const [few, bare] = await measureInteract(calls, FEW);
  const [many] = await measureInteract(calls, MANY);
  printOverheads([few, bare, many].filter((each) => each !== undefined));
  report.add(
    ...interactFigures(calls, bare, [
      { elements: FEW, overhead: few },
      { elements: MANY, overhead: many },
    ]),
  );
});

async function shopTasks(): Promise<TaskTokens[]> {
  const chromium = await startChromium();
  try {
    const measured = await measureShopTasks(chromium, values.peers);
    console.log(chromium.version);
    printTasks(measured);
    return measured;
  } finally {
    await chromium.close();
  }
}
