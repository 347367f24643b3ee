import type { Figure } from './figure.ts';

/** What a benchmark tells while it runs. */
export type BenchRecord =
  | { readonly figure: Figure }
  | { readonly didNotRun: string }
  | { readonly failed: string };

/** How one benchmark went. */
export interface BenchRun {
  readonly name: string;
  readonly day: string;
  /** With few rounds: it shows that it works, not how fast. */
  readonly isQuick: boolean;
  readonly seconds: number;
  /** The load average of a minute, before and after it. */
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

/** All of `docs/bench/figures.json`. */
export interface BenchRecords {
  readonly machine: Machine;
  /** Versions of the programs that stand beside ours. */
  readonly peers: Readonly<Record<string, string>>;
  readonly runs: readonly BenchRun[];
}

/** The lines that a benchmark wrote; the last may be cut off where it was killed. */
export function parseRecords(text: string): BenchRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BenchRecord);
}

export function parseBenchRecords(text: string): BenchRecords {
  return JSON.parse(text) as BenchRecords;
}

export const figuresOf = ({ runs }: BenchRecords): readonly Figure[] =>
  runs.flatMap(({ figures }) => figures);
