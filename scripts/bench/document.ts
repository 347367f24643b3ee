import { boundWords, type Figure, oursWords, type Verdict } from './figure.ts';
import { countWords } from './page.ts';
import { type BenchRecords, type BenchRun, figuresOf } from './record.ts';
import { times, whole } from './words.ts';

/** Renders `docs/bench/README.md`. */
export function documentOf(records: BenchRecords): string {
  const { machine, runs } = records;
  const figures = figuresOf(records);
  return `${[
    '# Measurements',
    '',
    'Written by `npm run bench -- --write` from [figures.json](figures.json): edit neither by hand. Each figure stands beside a',
    'peer or a limit of the machine that was measured in the same run. A *must* fails the run when it is missed, an *aim* does',
    'not. The first table has the figures that an agent or a person notices, those below it have everything.',
    '',
    '![How many times better or worse than the best peer, and than promised](figures.svg)',
    '',
    countWords(figures),
    ...warnings(records).flatMap((warning) => ['', `**${warning}**`]),
    '',
    '## Headlines',
    '',
    ...table(
      ['', 'ours', 'beside it', 'ratio', 'must', 'aim', 'how'],
      figures.flatMap((each) => (each.headline === undefined ? [] : [rowOf(each.headline, each)])),
    ),
    '',
    '## The machine',
    '',
    `${machine.cores} cores (${machine.processor}), ${machine.memory_gib} GiB, ${machine.system}, Node ${machine.node},`,
    `${machine.chromium}. Everything ran on it at once: what is measured, its load, its peers, databases and browsers.`,
    `Peers: ${Object.entries(records.peers)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
    ...table(
      ['benchmark', 'day', 'took', 'load before', 'load after'],
      runs.map(({ name, day, seconds, load }) => [
        `[${name}](#${name})`,
        day,
        minutes(seconds),
        ...load.map((each) => each.toFixed(2)),
      ]),
    ),
    ...runs.flatMap(sectionOf),
    '',
    '## Again on your machine',
    '',
    '`npm run bench` runs all of them and prints one page; `npm run bench -- --json` gives it as data; `npm run bench -- NAME`',
    'runs one with all that it has to say; `npm run bench -- --help` has the rest.',
  ].join('\n')}\n`;
}

/** Load average per core above which other programs, not the previous benchmark, kept the machine busy. */
const BUSY_LOAD = 3;

function warnings({ machine, runs }: BenchRecords): readonly string[] {
  const namesOf = (wanted: (run: BenchRun) => boolean) =>
    runs
      .filter(wanted)
      .map(({ name }) => name)
      .join(', ');
  const quick = namesOf(({ isQuick }) => isQuick);
  const busy = namesOf(({ load }) => load[0] > BUSY_LOAD * machine.cores);
  return [
    ...(quick === '' ? [] : [`Run with few rounds: ${quick}. These show that it works, not how fast.`]),
    ...(busy === '' ? [] : [`Run on a machine that had much else to do: ${busy}. Their times say little.`]),
  ];
}

function sectionOf({ name, figures, failed, didNotRun }: BenchRun): readonly string[] {
  return [
    '',
    `## ${name}`,
    '',
    ...(figures.length === 0
      ? ['Nothing was measured.']
      : table(
          ['', 'ours', 'beside it', 'ratio', 'must', 'aim', 'how'],
          figures.map((each) => rowOf(each.what, each)),
        )),
    ...[
      ...failed.map((what) => `Failed: ${what}.`),
      ...didNotRun.map((what) => `Did not run: ${what}.`),
    ].flatMap((line) => ['', line]),
  ];
}

const MET: Readonly<Record<Verdict, string>> = { yes: 'met', no: '**missed**', unclear: 'unclear' };

function rowOf(name: string, each: Figure): readonly string[] {
  const { ratio, beside, how, note } = each;
  const promised = (['must', 'aim'] as const).map((kind) => {
    const [bound, verdict] = [each[kind], each.met[kind]];
    return bound === undefined || verdict === undefined ? '' : `${boundWords(bound, each)}: ${MET[verdict]}`;
  });
  return [
    name,
    oursWords(each),
    beside.map((other) => `${other.name}: ${whole(other.value)}`).join('; '),
    ratio === undefined ? '' : times(ratio),
    ...promised,
    note === undefined ? how : `${how} (${note})`,
  ];
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), `|${headings.map(() => '---|').join('')}`, ...rows.map(line)];
}

export function minutes(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`;
}
