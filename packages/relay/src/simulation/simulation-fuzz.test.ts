import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { check } from '../../test/simulation/checker.ts';
import { createNastyBus } from '../../test/simulation/nasty-bus.ts';
import { runSeed } from '../../test/simulation/simulation.ts';
import { createRelayCore } from '../core/relay-core.ts';

const { DRAWBRIDGE_SIMULATION_SEEDS, DRAWBRIDGE_SIMULATION_SEED } = process.env;
const SEEDS = Number(DRAWBRIDGE_SIMULATION_SEEDS ?? 24);
const FIRST = Number(DRAWBRIDGE_SIMULATION_SEED ?? 1);

const RELAY = { createCore: createRelayCore, createBus: createNastyBus };
const CACHE = join(import.meta.dirname, '../../.cache');

// The deep run takes hours.
vi.setConfig({ testTimeout: 24 * 60 * 60 * 1_000 });

/** Repeats the world with a full trace; returns how to reproduce it. */
async function writeTrace(seed: number): Promise<string> {
  const lines: string[] = [];
  await runSeed(seed, RELAY, (line) => lines.push(line));
  const path = join(CACHE, `simulation-${seed}.txt`);
  await mkdir(CACHE, { recursive: true });
  await writeFile(path, lines.join('\n'));
  return `DRAWBRIDGE_SIMULATION_SEED=${seed} DRAWBRIDGE_SIMULATION_SEEDS=1 repeats it; what happened: ${path}`;
}

test(`[CHT-114] [CHT-130] [CHT-137] [CHT-142] [CHT-154] [CHT-160] [CHT-176] [CHT-225] [CHT-263] ${SEEDS} worlds full of faults end well`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const wrong = await check(await runSeed(seed, RELAY));
    if (wrong.length > 0) expect(wrong.slice(0, 5), await writeTrace(seed)).toEqual([]);
  }
});

test('a seed repeats its world exactly, and another seed makes another', async () => {
  const hashes = new Set<string>();
  for (let seed = 1; seed <= 8; seed += 1) {
    const { traceHash } = await runSeed(seed, RELAY);
    expect((await runSeed(seed, RELAY)).traceHash).toBe(traceHash);
    hashes.add(traceHash);
  }
  expect(hashes.size).toBe(8);
});
