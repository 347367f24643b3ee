import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPostgres } from './find-postgres.mjs';

async function folderOf(versions: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-find-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, version] of Object.entries(versions)) {
    await mkdir(join(folder, name, 'bin'), { recursive: true });
    for (const program of ['initdb', 'postgres']) {
      const path = join(folder, name, 'bin', program);
      await writeFile(path, `#!/bin/sh\necho "${program} (PostgreSQL) ${version}"\n`);
      await chmod(path, 0o755);
    }
  }
  return folder;
}

test("prefers Debian's newest version, and skips one that is too old", async () => {
  const debian = await folderOf({ 14: '14.9', 15: '15.18 (Debian 15.18-0)', 9: '9.6.1', 17: '17rc1' });
  expect(findPostgres({}, debian)).toBe(join(debian, '17', 'bin'));
  const old = await folderOf({ 14: '14.9' });
  expect(findPostgres({}, old)).toBeUndefined();
});

test('searches PATH, and prefers POSTGRES_BIN', async () => {
  const folder = await folderOf({ a: '16.1', b: '15.0' });
  const PATH = `/nowhere:${join(folder, 'a', 'bin')}`;
  expect(findPostgres({ PATH }, '/nowhere')).toBe(join(folder, 'a', 'bin'));
  const POSTGRES_BIN = join(folder, 'b', 'bin');
  expect(findPostgres({ PATH, POSTGRES_BIN }, '/nowhere')).toBe(POSTGRES_BIN);
});

test('a POSTGRES_BIN without the programs, or with old ones, is an error that says what to do', async () => {
  const folder = await folderOf({ old: '12.1' });
  for (const POSTGRES_BIN of ['/nowhere', join(folder, 'old', 'bin')]) {
    expect(() => findPostgres({ POSTGRES_BIN })).toThrow(/POSTGRES_BIN is .* unset it/);
  }
});
