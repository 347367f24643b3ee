import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printVerdicts } from './page/verdicts.ts';
import { ACCEPTS } from './relay/accepts.ts';
import { FAN_OUT } from './relay/fan-out.ts';
import { IDLE_SOCKETS } from './relay/idle-sockets.ts';
import { RECONNECT_STORM } from './relay/reconnect-storm.ts';
import { REPLAY } from './relay/replay.ts';
import type { Findings } from './relay/scene.ts';

/**
 * The relay under load, beside this machine's disk, its own ledger and a server that only echoes, in one run. The relay, the
 * load and the peers are programs of their own; a person's limit of a hundred frames a second is lifted. `--only NAME` plays one
 * scene, `--quick` plays them small, `--folder PATH` says which disk (a folder in memory has no syncs).
 */

const SCENES = [ACCEPTS, FAN_OUT, IDLE_SOCKETS, REPLAY, RECONNECT_STORM];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    folder: { type: 'string', default: tmpdir() },
  },
});
const chosen = SCENES.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`--only is one of ${SCENES.map(({ name }) => name).join(', ')}.`);

const folder = await mkdtemp(join(values.folder, 'drawbridge-bench-'));
const found: Findings[] = [];
try {
  for (const { name, play } of chosen) {
    console.log(`\n${name} (load average ${loadavg()[0]?.toFixed(2)})`);
    found.push(await play({ folder, quick: values.quick }));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const musts = found.flatMap((each) => each.musts);
printVerdicts('must', musts);
const aims = found.flatMap((each) => each.aims);
if (aims.length > 0) printVerdicts('aim', aims);
process.exitCode = musts.every(({ met }) => met !== false) ? 0 : 1;
