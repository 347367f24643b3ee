import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ACCEPTS } from './relay/accepts.ts';
import { FAN_OUT } from './relay/fan-out.ts';
import { HOSTILE } from './relay/hostile.ts';
import { IDLE_SOCKETS } from './relay/idle-sockets.ts';
import { RECONNECT_STORM } from './relay/reconnect-storm.ts';
import { REPLAY } from './relay/replay.ts';
import { benchmark } from './report.ts';

/**
 * The relay under load, beside this machine's disk, its own ledger and an echo server, in one run. The relay,
 * the load and the peers run in separate processes; the limit of a hundred frames a second per person is
 * lifted. `--only NAME` runs one benchmark, `--quick` runs them small, `--folder PATH` selects the disk (a
 * folder in memory has no syncs).
 */

const SCENES = [ACCEPTS, FAN_OUT, IDLE_SOCKETS, REPLAY, RECONNECT_STORM, HOSTILE];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    folder: { type: 'string', default: tmpdir() },
  },
});
const chosen = SCENES.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`--only is one of ${SCENES.map(({ name }) => name).join(', ')}.`);

await benchmark(async (report) => {
  const folder = await mkdtemp(join(values.folder, 'drawbridge-bench-'));
  try {
    for (const { name, play } of chosen) {
      console.log(`\n${name} (load average ${loadavg()[0]?.toFixed(2)})`);
      report.add(...(await play({ folder, quick: values.quick })));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
