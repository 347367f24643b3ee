import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { check } from '../../test/simulation/checker.ts';
import { createNastyBus } from '../../test/simulation/nasty-bus.ts';
import { runSeed } from '../../test/simulation/simulation.ts';
import { createRelayCore } from '../core/relay-core.ts';

const { DRAWBRIDGE_CLUSTER_SEEDS, DRAWBRIDGE_CLUSTER_SEED } = process.env;
const SEEDS = Number(DRAWBRIDGE_CLUSTER_SEEDS ?? 8);
const FIRST = Number(DRAWBRIDGE_CLUSTER_SEED ?? 1);

const RELAYS = { createCore: createRelayCore, createBus: createNastyBus, isCluster: true };
const CACHE = join(import.meta.dirname, '../../.cache');

// The deep run takes hours.
vi.setConfig({ testTimeout: 24 * 60 * 60 * 1_000 });

async function writeTrace(seed: number): Promise<string> {
  const lines: string[] = [];
  await runSeed(seed, RELAYS, (line) => lines.push(line));
  const path = join(CACHE, `cluster-${seed}.txt`);
  await mkdir(CACHE, { recursive: true });
  await writeFile(path, lines.join('\n'));
  return `DRAWBRIDGE_CLUSTER_SEED=${seed} DRAWBRIDGE_CLUSTER_SEEDS=1 repeats it; what happened: ${path}`;
}

test(`[CHT-130] [CHT-137] [CHT-142] [CHT-160] [CHT-263] [CHT-292] [CHT-293] [CHT-294] [CHT-295] ${SEEDS} worlds with three nodes end well: killed, fenced, cut off from the bus`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const wrong = await check(await runSeed(seed, RELAYS));
    if (wrong.length > 0) expect(wrong.slice(0, 5), await writeTrace(seed)).toEqual([]);
  }
});
