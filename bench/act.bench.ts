import { parseArgs } from 'node:util';
import { answerFigure, flowFigures, longPressFigures, pressFigures } from './act/figures.ts';
import { listFigures, printLists, runListPatterns } from './act/list-patterns.ts';
import { servePressPages } from './act/press-page.ts';
import { PRESS_SUBJECTS } from './act/press-subject.ts';
import { type PressTimes, timePresses } from './act/press-timing.ts';
import { printAnswers, printFlows, printPresses } from './act/report.ts';
import { FLOW_SUBJECTS, runShopFlow, type ShopFlow } from './act/shop-flow.ts';
import { type BenchChromium, startChromium } from './page/chromium.ts';
import { benchmark, type Report, reasonOf } from './report.ts';

/**
 * Time from an agent's call to the press in the page, and tokens of a task, beside peers and bare CDP: all in
 * one Chromium and one run. `--rounds N` presses, `--only press`, `--only tokens` or `--only lists` runs a part of
 * it, `--no-peers` leaves the peers out.
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
    const isWanted = (part: string) => values.only === undefined || values.only === part;
    if (isWanted('press')) await pressAll(chromium, report);
    if (isWanted('tokens')) await shopAll(chromium, report);
    if (isWanted('lists')) await listsAll(chromium, report);
  } finally {
    await chromium.close();
  }
});

async function pressAll(chromium: BenchChromium, report: Report): Promise<void> {
  const served = await servePressPages();
  const all: PressTimes[] = [];
  for (const page of served.pages) {
    const times: PressTimes[] = [];
    for (const subject of chosen(PRESS_SUBJECTS)) {
      const press = () => timePresses(chromium, subject, page, rounds);
      const timed = await attempt(`${subject.name} on ${page.name}`, press, report);
      if (timed !== undefined) times.push(timed);
    }
    printPresses(page.name, times);
    all.push(...times);
    if (page.kind === 'counter') report.add(...pressFigures(times, rounds));
    else report.add(answerFigure(page, times, rounds));
    if (page.kind === 'long') report.add(...longPressFigures(times, rounds));
  }
  printAnswers(all);
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

async function listsAll(chromium: BenchChromium, report: Report): Promise<void> {
  const lists = await attempt('ours on list patterns', () => runListPatterns(chromium), report);
  if (lists === undefined) return;
  printLists(lists);
  report.add(...listFigures(lists));
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
