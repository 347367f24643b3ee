import type { Figure } from '../../scripts/bench/figure.ts';
import { type Child, startChild } from './child.ts';
import type { EchoCalls } from './echo-program.ts';
import type { RelayCalls, RelayInput } from './relay-program.ts';

/** Folder on the measured disk, and the time a benchmark may take. */
export interface BenchPhase {
  readonly folder: string;
  readonly quick: boolean;
}

export interface RelayBench {
  readonly name: string;
  readonly play: (phase: BenchPhase) => Promise<readonly Figure[]>;
}

/** The limit of a hundred frames a second per person would hide the relay's capacity. */
export const UNPACED = {
  browser_frames_per_second: 1_000_000,
  browser_burst: 1_000_000,
  proxy_frames_per_second: 1_000_000,
  requests_per_second: 1_000_000,
  request_burst: 1_000_000,
  loop_percent: 100,
  person_sockets: 1_000_000,
  proxy_sockets: 1_000_000,
};

export async function startRelay(input: RelayInput): Promise<Child<RelayCalls>> {
  return startChild<RelayCalls>('./relay-program.ts', { limits: UNPACED, ...input });
}

export const startEcho = (): Promise<Child<EchoCalls>> => startChild<EchoCalls>('./echo-program.ts');
