import type { Verdict } from '../page/verdicts.ts';
import { type Child, startChild } from './child.ts';
import type { EchoCalls } from './echo-program.ts';
import type { RelayCalls, RelayInput } from './relay-program.ts';

/** Where a scene plays: a folder on the disk that is measured, and how long it may take. */
export interface Stage {
  readonly folder: string;
  readonly quick: boolean;
}

export interface Findings {
  readonly musts: readonly Verdict[];
  readonly aims: readonly Verdict[];
}

export interface Scene {
  readonly name: string;
  readonly play: (stage: Stage) => Promise<Findings>;
}

/** A person's hundred frames a second are what the relay lets through, not what it can do. */
export const UNPACED = {
  browser_frames_per_second: 1_000_000,
  browser_burst: 1_000_000,
  proxy_frames_per_second: 1_000_000,
  person_sockets: 1_000_000,
  proxy_sockets: 1_000_000,
};

export async function startRelay(input: RelayInput): Promise<Child<RelayCalls>> {
  return startChild<RelayCalls>('./relay-program.ts', { limits: UNPACED, ...input });
}

export const startEcho = (): Promise<Child<EchoCalls>> => startChild<EchoCalls>('./echo-program.ts');

export const atLeast = (promise: string, value: number, least: number, unit: string): Verdict => ({
  promise: `${promise}: at least ${whole(least)} ${unit}`,
  measured: `${whole(value)} ${unit}`,
  met: value >= least,
});

export const atMost = (promise: string, value: number, most: number, unit: string): Verdict => ({
  promise: `${promise}: at most ${whole(most)} ${unit}`,
  measured: `${whole(value)} ${unit}`,
  met: value <= most,
});

export const whole = (value: number): string =>
  value < 100 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString('en');

export const times = (value: number): string => `${value.toFixed(2)} ×`;
