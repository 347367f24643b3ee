import { parseArgs } from 'node:util';
import { flowFigures, longPressFigures, pressFigures } from './act/figures.ts';
import { servePressPages } from './act/press-page.ts';
import { PRESS_SUBJECTS } from './act/press-subject.ts';
import { type PressTimes, timePresses } from './act/press-timing.ts';
import { printFlows, printPresses } from './act/report.ts';
import { FLOW_SUBJECTS, runShopFlow, type ShopFlow } from './act/shop-flow.ts';
import { type BenchChromium, startChromium } from './page/chromium.ts';
import { benchmark, type Report, reasonOf } from './report.ts';

/**
 * Time from an agent's call to the press in the page, and tokens of a task, beside peers and bare CDP: all in
 * one Chromium and one run. `--rounds N` presses, `--only press` or `--only tokens` runs half of it,
 * `--no-peers` leaves the peers out.
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
const isOurs = ({ name }: { readonly name: string }) => name.startsWith('ours');
const chosen = <Subject extends { readonly name: string }>(subjects: readonly Subject[]) =>
  subjects.filter((subject) => values.peers || isOurs(subject));

await benchmark(async (report) => {
  const chromium = await startChromium();
  try {
    console.log(`${chromium.version}; medians of ${rounds} rounds (tenth to ninetieth percentile).`);
    if (!values.peers) report.didNotRun('peers: left out by --no-peers');
    if (values.only !== 'tokens') await pressAll(chromium, report);
    if (values.only !== 'press') await shopAll(chromium, report);
  } finally {
    await chromium.close();
  }
});

async function pressAll(chromium: BenchChromium, report: Report): Promise<void> {
  const served = await servePressPages();
  const [short, long] = served.pages;
  for (const page of served.pages) {
    const times: PressTimes[] = [];
    for (const subject of chosen(PRESS_SUBJECTS)) {
      const press = () => timePresses(chromium, subject, page, rounds);
      const timed = await attempt(`${subject.name} on ${page.name}`, press, report);
      if (timed !== undefined) times.push(timed);
    }
    printPresses(page.name, times);
    if (page === short) report.add(...pressFigures(times, rounds));
    if (page === long) report.add(...longPressFigures(times, rounds));
  }
  served.close();
}

async function shopAll(chromium: BenchChromium, report: Report): Promise<void> {
  const flows: ShopFlow[] = [];
  for (const subject of chosen(FLOW_SUBJECTS)) {
    const run = () => runShopFlow(chromium, subject);
    const flow = await attempt(`${subject.name} in the shop`, run, report);
    if (flow !== undefined) flows.push(flow);
  }
  printFlows(flows);
  report.add(...flowFigures(flows));
}

/** A failed measurement of ours fails the run; one of a peer is only reported. */
async function attempt<Result>(
  what: string,
  run: () => Promise<Result>,
  { didNotRun, failed }: Report,
): Promise<Result | undefined> {
  console.error(`  ${what} …`);
  try {
    return await run();
  } catch (error) {
    const tell = what.startsWith('ours') ? failed : didNotRun;
    tell(`${what}: ${reasonOf(error)}`);
    return undefined;
  }
}
