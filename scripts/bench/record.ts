import type { Figure } from './figure.ts';

/** A line that a benchmark writes while it runs. */
export type BenchRecord =
  | { readonly figure: Figure }
  | { readonly didNotRun: string }
  | { readonly failed: string };

/** Result of one benchmark. */
export interface BenchRun {
  readonly name: string;
  readonly day: string;
  /** Ran with few rounds: shows that it works, not how fast it is. */
  readonly isQuick: boolean;
  readonly seconds: number;
  /** One-minute load average before and after the run. */
  readonly load: readonly [before: number, after: number];
  readonly figures: readonly Figure[];
  readonly didNotRun: readonly string[];
  readonly failed: readonly string[];
}

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memory_gib: number;
  readonly system: string;
  readonly node: string;
  readonly chromium: string;
}

/** Content of `docs/bench/figures.json`. */
export interface BenchRecords {
  readonly machine: Machine;
  /** Versions of the peers. */
  readonly peers: Readonly<Record<string, string>>;
  readonly runs: readonly BenchRun[];
}

/** Parses the lines of a benchmark; the last may be truncated when the process was killed. */
export function trustRecords(text: string): BenchRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BenchRecord);
}

export function trustBenchRecords(text: string): BenchRecords {
  return JSON.parse(text) as BenchRecords;
}

export const figuresOf = ({ runs }: BenchRecords): readonly Figure[] =>
  runs.flatMap(({ figures }) => figures);
