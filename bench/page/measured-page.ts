import { tokensOf } from '@drawbridge/testbed/tokens';
import type { BenchChromium, Tab } from './chromium.ts';
import { deltasAfterClicks, type ToldDelta } from './click-delta.ts';
import { type Cost, costsOf, type InPageCode } from './in-page-subjects.ts';
import { type Pressable, pressables } from './oracle.ts';
import type { BenchPage } from './page-server.ts';
import type { RunningPeer } from './peer.ts';
import { type Pressed, pressListed } from './pressing.ts';
import { markPressables, marksOf, type Recall, recallFrom } from './recall.ts';

export interface Measured {
  readonly subject: string;
  readonly cost: Cost;
  readonly recall: Recall;
  /** Only of our listing, on a few pages. */
  readonly pressed?: Pressed;
}

export interface MeasuredPage {
  readonly page: BenchPage;
  readonly elements: number;
  readonly pressables: number;
  readonly subjects: readonly Measured[];
  /** Deltas of our code after each of a few clicks. */
  readonly deltas: readonly ToldDelta[];
}

/**
 * Measures each code in a separate tab, in turns; then the oracle; then the clicks, which change the page.
 */
export async function measurePage(
  chromium: BenchChromium,
  page: BenchPage,
  codes: readonly InPageCode[],
  rounds: number,
  presses: boolean,
): Promise<MeasuredPage> {
  const opened: { readonly code: InPageCode; readonly tab: Tab }[] = [];
  for (const code of codes) {
    const tab = await chromium.openTab();
    await tab.goto(page.url);
    await code.start(tab);
    opened.push({ code, tab });
  }
  const runs = opened.flatMap(({ code, tab }) => code.subjects.map((subject) => ({ subject, tab })));
  const costs = await costsOf(runs, rounds);
  const subjects: Measured[] = [];
  const deltas: ToldDelta[] = [];
  let elements = 0;
  let most = 0;
  for (const { code, tab } of opened) {
    elements = await tab.evaluate<number>('document.querySelectorAll("*").length');
    const all = await pressables(tab.session);
    most = Math.max(most, all.length);
    await markPressables(tab, all);
    for (const { name, listed } of code.subjects) {
      const recall = recallFrom(all, await tab.evaluate<string[]>(marksOf(listed)));
      const cost = costs.get(name);
      if (cost !== undefined) subjects.push({ subject: name, cost, recall });
    }
    const [first] = code.subjects;
    if (presses && code.tellsDeltas && first !== undefined) {
      const pressed = await pressListed(tab, page.url, code, first.listed);
      for (const [index, each] of subjects.entries())
        if (code.subjects.some(({ name }) => name === each.subject)) subjects[index] = { ...each, pressed };
      await tab.goto(page.url);
      await code.start(tab);
    }
    if (code.tellsDeltas) deltas.push(...(await deltasAfterClicks(tab, all)));
    await tab.close();
  }
  return { page, elements, pressables: most, subjects, deltas };
}

/** Measures a peer on the page that the tab shows. */
export async function measurePeer(
  name: string,
  peer: RunningPeer,
  tab: Tab,
  page: BenchPage,
  rounds: number,
): Promise<Measured> {
  await tab.goto(page.url);
  const times: number[] = [];
  let answer = '';
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    answer = await peer.look();
    times.push(performance.now() - started);
  }
  const all: readonly Pressable[] = await pressables(tab.session);
  await markPressables(tab, all);
  const recall = recallFrom(all, await peer.marks(answer));
  const wallMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  return { subject: name, cost: { tokens: tokensOf(answer), ms: wallMs, wallMs }, recall };
}
