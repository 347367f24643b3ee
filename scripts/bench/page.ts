import { boundWords, type Figure, oursWords, type Verdict } from './figure.ts';
import { type BenchRecords, figuresOf } from './record.ts';
import { times, whole } from './words.ts';

/** Summary at the end of `npm run bench`: three lines per headline, then missed bounds. */
export function pageOf(records: BenchRecords): string {
  const figures = figuresOf(records);
  return [
    machineWords(records),
    '',
    ...figures.flatMap((each) =>
      each.headline === undefined ? [] : [each.headline, ...figureLines(each), `  measured: ${each.how}`, ''],
    ),
    countWords(figures),
    ...figures.filter(({ headline }) => headline === undefined).flatMap(missedLines),
    ...records.runs.flatMap(({ name, failed }) => failed.map((what) => `${name} FAILED: ${what}`)),
    ...records.runs.flatMap(({ name, didNotRun }) => didNotRun.map((what) => `${name} did not run ${what}`)),
  ].join('\n');
}

export function machineWords({ machine, runs }: BenchRecords): string {
  const { cores, memory_gib, system, node, chromium } = machine;
  const loads = runs.flatMap(({ load }) => load[0]);
  const busiest =
    loads.length === 0 ? '' : `, load before each ${Math.min(...loads)} to ${Math.max(...loads)}`;
  return `${cores} cores, ${memory_gib} GiB, ${system}, Node ${node}, ${chromium}${busiest}`;
}

/** Value, peer and verdict of one figure. */
export function figureLines(each: Figure): readonly string[] {
  const { beside, ratio, note } = each;
  const [first, ...others] = beside;
  const held =
    first && `${ratio === undefined ? '' : `${times(ratio)} `}${first.name} (${whole(first.value)})`;
  const measured = [oursWords(each), held].filter((words) => words !== undefined).join(', ');
  return [
    `  ${measured}${others.map(({ name, value }) => `; ${name} ${whole(value)}`).join('')}`,
    ...promiseWords(each).map((words) => `  ${words}`),
    ...(note === undefined ? [] : [`  ${note}`]),
  ];
}

const MET: Readonly<Record<Verdict, string>> = { yes: 'met', no: 'NOT MET', unclear: 'unclear' };

function promiseWords(each: Figure): readonly string[] {
  return (['must', 'aim'] as const).flatMap((kind) => {
    const [bound, verdict] = [each[kind], each.met[kind]];
    return bound === undefined || verdict === undefined
      ? []
      : [`${kind} ${boundWords(bound, each)}: ${MET[verdict]}`];
  });
}

/** “Musts: 20 met, 1 missed, 2 unclear. Aims: …” */
export function countWords(figures: readonly Figure[]): string {
  const counted = (kind: 'must' | 'aim', name: string) => {
    const verdicts = figures.flatMap(({ met }) => met[kind] ?? []);
    const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
    const unclear = count('unclear') === 0 ? '' : `, ${count('unclear')} unclear`;
    return `${name}: ${count('yes')} met, ${count('no')} missed${unclear}.`;
  };
  return `${counted('must', 'Musts')} ${counted('aim', 'Aims')}`;
}

function missedLines(each: Figure): readonly string[] {
  return (['must', 'aim'] as const).flatMap((kind) => {
    const bound = each[kind];
    if (bound === undefined || each.met[kind] !== 'no') return [];
    const ratio = each.ratio === undefined || bound.ratio === undefined ? '' : `, ${times(each.ratio)}`;
    return [`  ${kind} missed: ${each.what}: ${oursWords(each)}${ratio}, and not ${boundWords(bound, each)}`];
  });
}
