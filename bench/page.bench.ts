import { parseArgs } from 'node:util';
import { surfaceScript } from '@drawbridge/runtime/node';
import { agentBrowserPeer } from './page/agent-browser-peer.ts';
import { type BenchChromium, startChromium } from './page/chromium.ts';
import { devtoolsPeer } from './page/devtools-peer.ts';
import { idleFigure, type Measurements, pageFigures } from './page/figures.ts';
import { idleOverhead } from './page/idle-overhead.ts';
import { ourCode, sketchCode } from './page/in-page-subjects.ts';
import { type MeasuredPage, measurePage, measurePeer } from './page/measured-page.ts';
import { type PageGroup, type ServedPages, servePages } from './page/page-server.ts';
import type { Peer } from './page/peer.ts';
import { playwrightPeer } from './page/playwright-peer.ts';
import { printGroup, printIdle, printMissed, printPages, printSilent } from './page/report.ts';
import { benchmark, type Report, reasonOf } from './report.ts';

/**
 * Size, recall and speed of page snapshots, beside peers: all in one Chromium and one run. `--corpus DIR`
 * adds saved pages, `--baseline FILE` a plain sketch of the same tree, `--no-peers` leaves the peers out,
 * `--only idle` runs only the cost of our code in an idle page.
 */

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    baseline: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    peers: { type: 'boolean', default: true },
    only: { type: 'string' },
  },
  allowNegative: true,
});

const PEERS: readonly Peer[] = [playwrightPeer, devtoolsPeer, agentBrowserPeer];
/** Pages that react: a saved page has no scripts. */
const PRESSED: ReadonlySet<PageGroup['kind']> = new Set(['shop', 'corners']);
const PEER_ROUNDS = 3;
/** With this many elements a peer takes seconds, so one round is enough. */
const MANY = 4_000;

await benchmark(async (report) => {
  const served = await servePages(values.corpus);
  const chromium = await startChromium();
  try {
    if (values.only !== 'idle') await tellPages(chromium, served, report);
    const idle = await idleOverhead(chromium, served.generated.small.url);
    printIdle(idle);
    report.add(idleFigure(idle));
  } finally {
    await chromium.close();
    await served.close();
  }
});

async function tellPages(chromium: BenchChromium, served: ServedPages, report: Report): Promise<void> {
  const { groups } = served;
  const pages = groups.flatMap((group) => group.pages);
  console.log(`${chromium.version}, ${pages.length} pages; tokens by o200k; medians.`);
  const { gzipBytes } = await surfaceScript();
  console.log(
    `Our page code with primitives: ${(gzipBytes / 1000).toFixed(1)} kB gzip. Rounds in turns: ${values.rounds}.`,
  );
  if (values.corpus === undefined) report.didNotRun('real pages: give them with --corpus DIR');
  if (values.baseline === undefined) report.didNotRun('the sketch: give it with --baseline FILE');
  report.didNotRun(
    'a browser-use-style viewport listing: browser-use 0.8.0 on npm needs a native build of canvas',
  );
  const codes = [ourCode, ...(values.baseline === undefined ? [] : [sketchCode(values.baseline)])];

  const measured = new Map<string, MeasuredPage>();
  for (const page of pages) {
    console.error(`  ${page.name} …`);
    const presses = PRESSED.has(groups.find((group) => group.pages.includes(page))?.kind ?? 'real');
    measured.set(page.name, await measurePage(chromium, page, codes, Number(values.rounds), presses));
  }
  // Recorded again with each peer, so that our figures are kept if a peer hangs.
  report.add(...pageFigures(measurementsOf(served, measured)));
  if (!values.peers) report.didNotRun('peers: left out by --no-peers');
  for (const peer of values.peers ? PEERS : []) {
    await measureAll(chromium, served, peer, measured, report);
    report.add(...pageFigures(measurementsOf(served, measured)));
  }

  for (const group of groups) {
    printGroup(
      group.name,
      group.pages.map(({ name }) => resultOf(measured, name)),
      'sketch, lines',
    );
  }
  const all = [...measured.values()];
  printPages(
    all,
    codes.flatMap(({ subjects }) => subjects.map(({ name }) => name)),
  );
  printMissed(all, 'ours, lines');
  printSilent(all, 'ours, lines');
}

function measurementsOf(
  { groups, generated }: ServedPages,
  measured: ReadonlyMap<string, MeasuredPage>,
): Measurements {
  const resultsOf = (...kinds: readonly PageGroup['kind'][]) =>
    groups
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ pages }) => pages.map(({ name }) => resultOf(measured, name)));
  const real = resultsOf('real');
  return {
    typical: real.length === 0 ? resultsOf('shop') : real,
    typicalWords: real.length === 0 ? 'the demo shop’s start page' : `median of ${real.length} real pages`,
    ordinary: resultsOf('real', 'generated', 'shop'),
    corners: resultsOf('corners'),
    small: resultOf(measured, generated.small.name),
    large: resultOf(measured, generated.large.name),
  };
}

function resultOf(measured: ReadonlyMap<string, MeasuredPage>, name: string): MeasuredPage {
  const result = measured.get(name);
  if (result === undefined) throw new Error(`${name} was not measured.`);
  return result;
}

/** Reports a peer that does not start or fails on a page. */
async function measureAll(
  chromium: BenchChromium,
  { groups }: ServedPages,
  peer: Peer,
  measured: Map<string, MeasuredPage>,
  { didNotRun }: Report,
): Promise<void> {
  console.error(`  ${peer.name} …`);
  const tab = await chromium.openTab();
  await chromium.closeOthers(tab);
  try {
    const running = await peer.start(chromium, tab);
    for (const page of groups.flatMap(({ pages }) => pages)) {
      const result = resultOf(measured, page.name);
      const rounds = result.elements > MANY ? 1 : PEER_ROUNDS;
      try {
        const told = await measurePeer(peer.name, running, tab, page, rounds);
        measured.set(page.name, { ...result, subjects: [...result.subjects, told] });
      } catch (error) {
        didNotRun(`${peer.name} on ${page.name}: ${reasonOf(error)}`);
      }
    }
    await running.close();
  } catch (error) {
    didNotRun(`${peer.name}: ${reasonOf(error)}`);
  }
}
