import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startChromium } from './page/chromium.ts';
import { printVerdicts } from './page/verdicts.ts';
import { measureInteract } from './task/interact-overhead.ts';
import { printOverheads, printTasks, totalOf } from './task/report.ts';
import { measureShopTasks, type TaskTokens } from './task/shop-tokens.ts';

/**
 * What a model reads in the fifteen shop tasks, beside the same tasks fed with the snapshots of @playwright/mcp in
 * the same run; and what the relay adds to each step. `--calls N` of interact, `--no-peers` without the peer,
 * `--only tokens` or `--only relay` does half of it.
 */

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const tasks = values.only === 'relay' ? [] : await shopTasks();
if (values.only !== 'tokens') {
  const calls = Number(values.calls);
  printOverheads([...(await measureInteract(calls, 40)), ...(await measureInteract(calls, 400)).slice(0, 1)]);
}
const { read, peer } = totalOf(tasks);
const musts = [
  {
    promise: 'all tasks: fewer tokens than with the snapshots of @playwright/mcp',
    measured: peer === undefined ? '' : `${read} against ${peer.read}`,
    met: peer === undefined || tasks.length === 0 ? undefined : read < peer.read,
  },
];
printVerdicts('must', musts);
console.log(
  `Load average: ${loadavg()
    .map((each) => each.toFixed(2))
    .join(' ')}.`,
);
process.exitCode = musts.every(({ met }) => met !== false) ? 0 : 1;

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
