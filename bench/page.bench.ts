import { parseArgs } from 'node:util';
import { pageBundle } from '@drawbridge/page/bundle';
import { agentBrowserPeer } from './page/agent-browser-peer.ts';
import { type BenchChromium, startChromium } from './page/chromium.ts';
import { devtoolsPeer } from './page/devtools-peer.ts';
import { idleOverhead } from './page/idle-overhead.ts';
import { ourCode, sketchCode } from './page/in-page-subjects.ts';
import { type MeasuredPage, measurePage, measurePeer } from './page/measured-page.ts';
import { type PageGroup, type ServedPages, servePages } from './page/page-server.ts';
import type { Peer } from './page/peer.ts';
import { playwrightPeer } from './page/playwright-peer.ts';
import { printGroup, printIdle, printMissed, printPages } from './page/report.ts';
import { aimsOf, mustsOf, printVerdicts } from './page/verdicts.ts';

/**
 * What an agent is told of a page, and how fast, beside the programs that do the same: all in one Chromium
 * and one run. `--corpus DIR` adds saved pages, `--baseline FILE` a plain sketch of the same tree,
 * `--no-peers` leaves the other programs out, `--only idle` all but what our code costs a page that idles.
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
const PEER_ROUNDS = 3;
/** A peer takes seconds for a page of this many elements: once will do. */
const MANY = 4_000;
const notRun: string[] = [];

const served = await servePages(values.corpus);
const chromium = await startChromium();
try {
  if (values.only === 'idle') printIdle(await idleOverhead(chromium, served.generated.small.url));
  else process.exitCode = (await bench(chromium, served)) ? 0 : 1;
} finally {
  await chromium.close();
  await served.close();
}

async function bench(chromium: BenchChromium, { groups, generated }: ServedPages): Promise<boolean> {
  console.log(
    `${chromium.version}, ${groups.flatMap(({ pages }) => pages).length} pages; tokens by o200k; medians.`,
  );
  const { gzipBytes } = await pageBundle();
  console.log(`Our page code: ${(gzipBytes / 1000).toFixed(1)} kB gzip. Rounds in turns: ${values.rounds}.`);
  if (values.corpus === undefined) notRun.push('real pages: give them with --corpus DIR');
  if (values.baseline === undefined) notRun.push('the sketch: give it with --baseline FILE');
  notRun.push(
    'a browser-use-style viewport listing: browser-use 0.8.0 on npm needs a native build of canvas',
  );
  const codes = [ourCode, ...(values.baseline === undefined ? [] : [sketchCode(values.baseline)])];

  const measured = new Map<string, MeasuredPage>();
  for (const page of groups.flatMap(({ pages }) => pages)) {
    console.error(`  ${page.name} …`);
    measured.set(page.name, await measurePage(chromium, page, codes, Number(values.rounds)));
  }
  const idle = await idleOverhead(chromium, generated.small.url);
  if (values.peers) for (const peer of PEERS) await measureAll(chromium, served, peer, measured);
  else notRun.push('peers: left out by --no-peers');

  const resultOf = (name: string) => {
    const result = measured.get(name);
    if (result === undefined) throw new Error(`${name} was not measured.`);
    return result;
  };
  for (const { name, pages } of groups) {
    const results = pages.map((page) => resultOf(page.name));
    printGroup(name, results, 'sketch, lines');
  }
  const all = [...measured.values()];
  printPages(
    all,
    codes.flatMap(({ subjects }) => subjects.map(({ name }) => name)),
  );
  printMissed(all, 'ours, lines');
  const resultsOf = (...kinds: readonly PageGroup['kind'][]) =>
    groups
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ pages }) => pages.map(({ name }) => resultOf(name)));
  const measurements = {
    typical: values.corpus === undefined ? resultsOf('shop') : resultsOf('real'),
    ordinary: resultsOf('real', 'generated', 'shop'),
    corners: resultsOf('corners'),
    small: resultOf(generated.small.name),
    large: resultOf(generated.large.name),
    idle,
  };
  printIdle(idle);
  const musts = mustsOf(measurements);
  printVerdicts('must', musts);
  printVerdicts('aim', aimsOf(measurements));
  for (const each of notRun) console.log(`did not run: ${each}`);
  return musts.every(({ met }) => met !== false);
}

/** A peer that does not start, or gives up on a page, is said to have. */
async function measureAll(
  chromium: BenchChromium,
  { groups }: ServedPages,
  peer: Peer,
  measured: Map<string, MeasuredPage>,
): Promise<void> {
  console.error(`  ${peer.name} …`);
  const tab = await chromium.openTab();
  await chromium.closeOthers(tab);
  try {
    const running = await peer.start(chromium, tab);
    for (const page of groups.flatMap(({ pages }) => pages)) {
      const result = measured.get(page.name);
      if (result === undefined) continue;
      try {
        const told = await measurePeer(
          peer.name,
          running,
          tab,
          page,
          result.elements > MANY ? 1 : PEER_ROUNDS,
        );
        measured.set(page.name, { ...result, subjects: [...result.subjects, told] });
      } catch (error) {
        notRun.push(`${peer.name} on ${page.name}: ${reasonOf(error)}`);
      }
    }
    await running.close();
  } catch (error) {
    notRun.push(`${peer.name}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
