import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findNats } from './find-nats.mjs';

async function folderWith(file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-find-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, file), '');
  return folder;
}

test('NATS_SERVER comes first, then PATH', async () => {
  const [chosen, path] = [await folderWith('mine'), await folderWith('nats-server')];
  expect(findNats({ NATS_SERVER: join(chosen, 'mine'), PATH: path })).toBe(join(chosen, 'mine'));
  expect(findNats({ NATS_SERVER: '', PATH: `/nowhere:${path}` })).toBe(join(path, 'nats-server'));
});

test('a NATS_SERVER without a file is an error that says what to do', () => {
  expect(() => findNats({ NATS_SERVER: '/nowhere/nats' })).toThrow(
    /NATS_SERVER is \/nowhere\/nats.*unset it/,
  );
});
