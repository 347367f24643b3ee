import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Figure } from '../scripts/bench/figure.ts';
import { figureLines } from '../scripts/bench/page.ts';
import type { BenchRecord } from '../scripts/bench/record.ts';

/** What a benchmark has found so far. It stays found when the rest of it fails. */
export interface Report {
  /** A figure that was told before is replaced. */
  readonly add: (...figures: readonly Figure[]) => void;
  /** A peer that could not start, or what was left out: said, and no failure. */
  readonly didNotRun: (what: string) => void;
  /** Something of ours that should have been measured, and was not. */
  readonly failed: (what: string) => void;
}

/** Where `npm run bench` gathers what every benchmark tells: a line of JSON each. */
const GATHERED_IN = process.env['DRAWBRIDGE_BENCH_RECORDS'];

/** The body of a benchmark: it tells figures as it gets them; all of them end it. */
export async function benchmark(body: (report: Report) => Promise<void>): Promise<void> {
  const figures = new Map<string, Figure>();
  const words: string[] = [];
  const record = (entry: BenchRecord) => {
    if (GATHERED_IN !== undefined) appendFileSync(GATHERED_IN, `${JSON.stringify(entry)}\n`);
  };
  let isWhole = true;
  const report: Report = {
    add(...found) {
      for (const each of found) {
        figures.set(each.id, each);
        record({ figure: each });
      }
    },
    didNotRun(what) {
      words.push(`did not run: ${what}`);
      record({ didNotRun: what });
    },
    failed(what) {
      isWhole = false;
      words.push(`FAILED: ${what}`);
      record({ failed: what });
    },
  };
  console.log(load());
  try {
    await body(report);
  } catch (error) {
    console.error(error);
    report.failed(reasonOf(error));
  }
  const all = [...figures.values()];
  console.log('');
  for (const each of all) console.log([each.what, ...figureLines(each)].join('\n'));
  for (const each of words) console.log(each);
  console.log(load());
  process.exitCode = isWhole && all.every(({ met }) => met.must !== 'no') ? 0 : 1;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

function load(): string {
  return `Load average: ${loadavg()
    .map((each) => each.toFixed(2))
    .join(' ')}.`;
}
