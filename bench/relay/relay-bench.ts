import type { Figure } from '../../scripts/bench/figure.ts';
import { type Child, startChild } from './child.ts';
import type { EchoCalls } from './echo-program.ts';
import type { RelayCalls, RelayInput } from './relay-program.ts';

/** Where a scene plays: a folder on the disk that is measured, and how long it may take. */
export interface BenchPhase {
  readonly folder: string;
  readonly quick: boolean;
}

export interface RelayBench {
  readonly name: string;
  readonly play: (stage: BenchPhase) => Promise<readonly Figure[]>;
}

/** A person's hundred frames a second are what the relay lets through, not what it can do. */
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
