import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifySqliteFile } from '@drawbridge/ledger';
import { SqliteStore } from '@drawbridge/ledger/sqlite/store';
import { isDeep } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { CAN_TRACE } from '../../test/crash/strace.ts';

/** `npm run deep` tries every call; otherwise a sample of each kind, spread over the run. */
const SOME = 2;
const WRITER = fileURLToPath(new URL('../../test/crash/kernel-writer.ts', import.meta.url));
const FILES = ['', '-wal'];
const REFUSALS: ReadonlySet<string> = new Set(['ledger_io', 'ledger_full']);

async function quickFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'drawbridge-kernel-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program to its end; traces, counts and fails only calls on the ledger's files. */
function run(path: string, args: readonly string[]): SpawnSyncReturns<string> {
  const only = FILES.flatMap((suffix) => ['-P', path + suffix]);
  const command = [...only, ...args, process.execPath, WRITER, path];
  return spawnSync('strace', ['-f', '-qq', '-o', `${path}.trace`, ...command], { encoding: 'utf8' });
}

const wordsOf = (output: string, word: string): readonly string[] =>
  output.split('\n').flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));

/** After the fault all acknowledged sends are there, and the ledger is whole. */
function look(path: string, acknowledged: readonly string[]) {
  const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false });
  const missing = acknowledged.filter((id) => store.reads.message('a', id)?.state !== 'accepted');
  store.close();
  return { missing, damage: verifySqliteFile(path).damage };
}

test.runIf(CAN_TRACE).each([
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['fsync', 'EIO'],
  ['ftruncate', 'EIO'],
] as const)(
  `[CHT-130] [CHT-140] ${isDeep ? 'every' : 'some'} %s fails with %s in the kernel: nothing is acknowledged that is not there`,
  async (call, error) => {
    const folder = await quickFolder();
    const whole = join(folder, 'whole.db');
    const calm = run(whole, ['-e', `trace=${call}`]);
    expect(wordsOf(calm.stdout, 'acknowledged')).toHaveLength(50);
    const calls = (await readFile(`${whole}.trace`, 'utf8')).split(`${call}(`).length - 1;
    const step = isDeep ? 1 : Math.max(1, Math.floor(calls / SOME));
    let tried = 0;
    for (let nth = 1; nth <= calls; nth += step) {
      const path = join(folder, `${nth}.db`);
      const { stdout, status } = run(path, [
        ...['-e', `trace=${call}`],
        ...['-e', `inject=${call}:error=${error}:when=${nth}`],
      ]);
      const acknowledged = wordsOf(stdout, 'acknowledged');
      const strange = wordsOf(stdout, 'refused').filter((code) => !REFUSALS.has(code));
      // A ledger that cannot be created or closed reports it and exits; an open one continues.
      const wentOn = status !== 0 || acknowledged.length > 0;
      expect({ nth, wentOn, strange, ...look(path, acknowledged) }).toEqual({
        ...{ nth, wentOn: true, strange: [], missing: [], damage: undefined },
      });
      await rm(path, { force: true });
      tried += 1;
    }
    console.info(`${call} ${error}: ${tried} of ${calls} calls failed, one in each run`);
  },
  isDeep ? 3_600_000 : 300_000,
);
