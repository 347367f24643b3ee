import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifySqliteFile } from '@drawbridge/ledger';
import { SqliteStore } from '@drawbridge/ledger/sqlite/store';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { afterPowerLoss, type DiskStep, diskSteps } from '../../test/crash/disk-trace.ts';
import { CAN_TRACE, callsOf } from '../../test/crash/strace.ts';

const STATES = Number(process.env['DRAWBRIDGE_POWER_LOSSES'] ?? 40);
const COMMITS = 24;
const WRITER = fileURLToPath(new URL('../../test/crash/power-writer.ts', import.meta.url));

async function quickFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'drawbridge-power-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function record(folder: string): Promise<readonly DiskStep[]> {
  const trace = join(folder, 'trace');
  const data = join(folder, 'data');
  mkdirSync(data);
  await promisify(execFile)('strace', [
    ...['-f', '-qq', '-y', '-xx', '-s', '70000', '-o', trace],
    ...['-e', 'trace=pwrite64,ftruncate,unlink,fsync,fdatasync,write'],
    ...[process.execPath, WRITER, join(data, 'ledger.db'), String(COMMITS)],
  ]);
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(trace, 'latin1') })) lines.push(line);
  return diskSteps(callsOf(lines), data);
}

function openAfter(
  files: ReadonlyMap<string, Buffer>,
  folder: string,
  acknowledged: readonly string[],
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const path = join(folder, 'ledger.db');
  const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false });
  const missing = acknowledged.filter((id) => store.reads.message('a', id)?.state !== 'accepted');
  store.close();
  expect({ missing, damage: verifySqliteFile(path).damage }).toEqual({ missing: [], damage: undefined });
}

test.runIf(CAN_TRACE)(
  `[CHT-130] [CHT-136] ${STATES} states that a power loss can leave open whole, with all acknowledged sends`,
  async () => {
    const folder = await quickFolder();
    const steps = await record(folder);
    const acknowledged = steps.flatMap((step) => (step.did === 'acknowledge' ? [step] : []));
    expect(acknowledged).toHaveLength(COMMITS);
    // Checkpoints ran during the writes, not only at the close.
    const inBetween = steps.slice(
      steps.findIndex(({ did }) => did === 'acknowledge'),
      steps.findLastIndex(({ did }) => did === 'acknowledge'),
    );
    const isMove = (step: DiskStep): boolean => step.did === 'write' && step.file === 'ledger.db';
    expect(inBetween.filter(isMove).length).toBeGreaterThan(COMMITS);
    const random = createSeededRandom(2_000);
    for (let state = 0; state < STATES; state += 1) {
      // Spread over all steps, also with more steps than states.
      const count = 1 + ((state * 37) % steps.length);
      const ids = steps.slice(0, count).flatMap((step) => (step.did === 'acknowledge' ? step.ids : []));
      try {
        openAfter(afterPowerLoss(steps, count, random), join(folder, 'state'), ids);
      } catch (error) {
        throw new Error(`After step ${count} of ${steps.length}, state ${state}`, { cause: error });
      }
    }
    // The same steps on a disk that reports a sync without doing it.
    const lying = steps.filter(
      ({ did, ...step }) => did !== 'sync' || ('file' in step && !step.file.endsWith('-wal')),
    );
    const lost = Array.from({ length: 40 }, () => {
      const count = lying.length - random.int(0, 20);
      try {
        openAfter(
          afterPowerLoss(lying, count, random),
          join(folder, 'state'),
          lying.slice(0, count).flatMap((step) => (step.did === 'acknowledge' ? step.ids : [])),
        );
        return 0;
      } catch {
        return 1;
      }
    });
    expect(lost.filter((each) => each === 1).length).toBeGreaterThan(10);
  },
  240_000 + STATES * 200,
);
