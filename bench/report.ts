import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Figure } from '../scripts/bench/figure.ts';
import { figureLines } from '../scripts/bench/page.ts';
import type { BenchRecord } from '../scripts/bench/record.ts';

/** Figures of a benchmark so far. They are kept when the rest fails. */
export interface Report {
  /** Replaces a figure that was added before. */
  readonly add: (...figures: readonly Figure[]) => void;
  /** Reports a peer that could not start, or a part that was skipped; not a failure. */
  readonly didNotRun: (what: string) => void;
  /** Reports that a measurement of ours failed. */
  readonly failed: (what: string) => void;
}

/** File in which `npm run bench` collects the records of every benchmark, one JSON object per line. */
const GATHERED_IN = process.env['DRAWBRIDGE_BENCH_RECORDS'];

/** Runs the body of a benchmark, which adds figures as it gets them, and sets the exit code. */
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
