import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { servePressPages } from './act/press-page.ts';
import { PRESS_SUBJECTS, type PressSubject } from './act/press-subject.ts';
import { type PressTimes, timePresses } from './act/press-timing.ts';
import { printFlows, printPresses } from './act/report.ts';
import { FLOW_SUBJECTS, runShopFlow, type ShopFlow } from './act/shop-flow.ts';
import { actAims, actMusts } from './act/verdicts.ts';
import { type BenchChromium, startChromium } from './page/chromium.ts';
import { printVerdicts } from './page/verdicts.ts';

/**
 * From an agent's call to the press in the page, and what a task costs in tokens, beside the programs that do
 * the same and the bare debugging protocol: all in one Chromium and one run. `--rounds N` presses, `--only
 * press` or `--only tokens` does half of it, `--no-peers` leaves the other programs out.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const rounds = Number(values.rounds);
const notRun: string[] = [];
const isOurs = ({ name }: { readonly name: string }) => name.startsWith('ours');
const chosen = <Subject extends { readonly name: string }>(subjects: readonly Subject[]) =>
  subjects.filter((subject) => values.peers || isOurs(subject));

const chromium = await startChromium();
try {
  console.log(`${chromium.version}; medians of ${rounds} rounds (tenth to ninetieth percentile). ${load()}`);
  const [short = [], long = []] = values.only === 'tokens' ? [] : await pressAll(chromium);
  const flows = values.only === 'press' ? [] : await shopAll(chromium);
  const musts = actMusts({ short, long, flows });
  printVerdicts('must', musts);
  printVerdicts('aim', actAims({ short, long, flows }));
  for (const each of notRun) console.log(`did not run: ${each}`);
  console.log(load());
  // What of ours could not be measured has failed; a peer that could not is only said to.
  const isWhole = !notRun.some((what) => what.startsWith('ours'));
  process.exitCode = isWhole && musts.every(({ met }) => met !== false) ? 0 : 1;
} finally {
  await chromium.close();
}

async function pressAll(chromium: BenchChromium): Promise<PressTimes[][]> {
  const served = await servePressPages();
  const all: PressTimes[][] = [];
  for (const page of served.pages) {
    const times: PressTimes[] = [];
    const press = (subject: PressSubject) => timePresses(chromium, subject, page, rounds);
    for (const subject of chosen(PRESS_SUBJECTS)) {
      const timed = await attempt(`${subject.name} on ${page.name}`, () => press(subject));
      if (timed !== undefined) times.push(timed);
    }
    printPresses(page.name, times);
    all.push(times);
  }
  served.close();
  return all;
}

async function shopAll(chromium: BenchChromium): Promise<ShopFlow[]> {
  const flows: ShopFlow[] = [];
  for (const subject of chosen(FLOW_SUBJECTS)) {
    const flow = await attempt(`${subject.name} in the shop`, () => runShopFlow(chromium, subject));
    if (flow !== undefined) flows.push(flow);
  }
  printFlows(flows);
  return flows;
}

/** A peer that does not start, or does not get to the end, is said not to have. */
async function attempt<Result>(what: string, run: () => Promise<Result>): Promise<Result | undefined> {
  console.error(`  ${what} …`);
  try {
    return await run();
  } catch (error) {
    notRun.push(`${what}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return undefined;
  }
}

function load(): string {
  return `Load average: ${loadavg()
    .map((each) => each.toFixed(2))
    .join(' ')}.`;
}
