import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSeededRandom, isDeep } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

const ROUNDS = isDeep ? 10 : 2;
const WRITER = fileURLToPath(new URL('../../test/sqlite/crash-writer.ts', import.meta.url));
const CHECKER = fileURLToPath(new URL('../../test/sqlite/crash-checker.ts', import.meta.url));

/** Kills the writer after this many acknowledgements, wherever it is by then. */
async function writeAndKill(
  path: string,
  log: string,
  round: number,
  acknowledgements: number,
): Promise<void> {
  const child = spawn(process.execPath, [WRITER, path, log, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen >= acknowledgements) child.kill('SIGKILL');
  });
  expect(await ended).toEqual([null, 'SIGKILL']);
}

test('[CHT-130] killed at any point, a ledger has everything it acknowledged, in sequence, with its chain whole', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  const log = join(folder, 'acknowledged.log');
  const random = createSeededRandom(7);
  for (let round = 0; round < ROUNDS; round += 1) {
    await writeAndKill(path, log, round, random.int(1, 300));
    const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, path, log]);
    const { acknowledged, problems } = JSON.parse(stdout);
    expect([round, problems]).toEqual([round, []]);
    expect(acknowledged).toBeGreaterThan(round);
  }
  const ledger = await openForTest({ path });
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('refuses a ledger that another process has open, and opens it once that process was killed', async () => {
  const folder = await ledgerFolder();
  const path = join(folder, 'ledger.db');
  const child = spawn(process.execPath, [WRITER, path, join(folder, 'log'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await expect(openSqliteLedger({ path })).rejects.toMatchObject({ code: 'ledger_locked' });
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect((await (await openForTest({ path })).heads()).length).toBe(3);
});
