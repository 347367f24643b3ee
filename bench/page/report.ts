import { median, printTable } from '../measure.ts';
import type { IdleOverhead } from './idle-overhead.ts';
import type { Measured, MeasuredPage } from './measured-page.ts';

/** One row per subject: medians over a group's pages, and the ratio to `against`. */
export function printGroup(group: string, pages: readonly MeasuredPage[], against: string): void {
  const names = [...new Set(pages.flatMap(({ subjects }) => subjects.map(({ subject }) => subject)))];
  const summaries = names.map((name) => summaryOf(name, pages));
  const base = summaries.find(({ subject }) => subject === against);
  console.log(`\n${group}: ${pages.map(({ page, elements }) => `${page.name} (${elements})`).join(', ')}`);
  printTable(
    [
      'subject',
      'pages',
      'tokens',
      'ms',
      'round trip ms',
      'recall',
      'precision',
      'react',
      'tokens ×',
      'time ×',
    ],
    summaries.map((each) => [
      each.subject,
      String(each.pages),
      each.tokens.toFixed(0),
      each.ms.toFixed(1),
      each.wallMs.toFixed(1),
      `${percent(each.found / each.of)} (${each.found}/${each.of})`,
      `${percent(precisionOf(each))} (${each.extra} extra)`,
      each.pressed === 0 ? '' : `${percent(each.reacted / each.pressed)} (${each.reacted}/${each.pressed})`,
      base === undefined ? '' : (each.tokens / base.tokens).toFixed(2),
      base === undefined ? '' : (each.ms / base.ms).toFixed(2),
    ]),
  );
}

/** Page by page, since a median hides outliers. */
export function printPages(pages: readonly MeasuredPage[], names: readonly string[]): void {
  console.log(`\npage by page: tokens / ms in the page`);
  printTable(
    ['page', 'elements', 'pressable', ...names, 'delta'],
    pages.map(({ page, elements, pressables, subjects, deltas }) => [
      page.name,
      String(elements),
      String(pressables),
      ...names.map((name) => {
        const measured = subjects.find(({ subject }) => subject === name);
        return measured === undefined ? '' : `${measured.cost.tokens} / ${measured.cost.ms.toFixed(1)}`;
      }),
      deltas.map(({ tokens, changed }) => (changed ? String(tokens) : '-')).join(' '),
    ]),
  );
}

export function printMissed(pages: readonly MeasuredPage[], name: string): void {
  for (const { page, subjects } of pages) {
    const missed = subjects.find(({ subject }) => subject === name)?.recall.missed ?? [];
    for (const { kind, x, y, tag } of missed)
      console.log(`  ${name} missed on ${page.name}: ${kind} at ${x},${y} ${tag}`);
  }
}

export function printSilent(pages: readonly MeasuredPage[], name: string): void {
  for (const { page, subjects } of pages)
    for (const tag of subjects.find(({ subject }) => subject === name)?.pressed?.silent ?? [])
      console.log(`  ${name}, silent on ${page.name}: ${tag}`);
}

export function printIdle({ without, having, noise }: IdleOverhead): void {
  console.log(
    `\na page that changes 100 times a second: CPU ms of its main thread (all: ${percent(noise)} apart between runs)`,
  );
  printTable(
    ['', 'all', 'script', 'style and layout', 'by the clock'],
    Object.entries({ 'without our code': without, 'with it': having }).map(([name, spent]) => [
      name,
      spent.taskMs.toFixed(0),
      spent.scriptMs.toFixed(0),
      spent.layoutMs.toFixed(0),
      spent.lastedMs.toFixed(0),
    ]),
  );
}

export interface Summary {
  readonly subject: string;
  readonly pages: number;
  readonly tokens: number;
  readonly ms: number;
  readonly wallMs: number;
  readonly found: number;
  readonly of: number;
  readonly listed: number;
  readonly extra: number;
  readonly pressed: number;
  readonly reacted: number;
}

/** Share of what is announced as pressable that a press reaches. */
export const precisionOf = ({ listed, extra }: Summary): number => (listed - extra) / listed;

export function summaryOf(name: string, pages: readonly MeasuredPage[]): Summary {
  const measured = pages.flatMap(({ subjects }) => subjects.filter(({ subject }) => subject === name));
  const sum = (of: (each: Measured) => number) => measured.reduce((total, each) => total + of(each), 0);
  return {
    subject: name,
    pages: measured.length,
    tokens: median(measured.map(({ cost }) => cost.tokens)),
    ms: median(measured.map(({ cost }) => cost.ms)),
    wallMs: median(measured.map(({ cost }) => cost.wallMs)),
    found: sum(({ recall }) => recall.found),
    of: sum(({ recall }) => recall.of),
    listed: sum(({ recall }) => recall.listed),
    extra: sum(({ recall }) => recall.extra),
    pressed: sum(({ pressed }) => pressed?.of ?? 0),
    reacted: sum(({ pressed }) => pressed?.reacted ?? 0),
  };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
