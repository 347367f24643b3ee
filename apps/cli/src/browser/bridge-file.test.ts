import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { readBridgeFile, removeBridgeFile, writeBridgeFile } from './bridge-file.ts';

const OURS = { url: 'http://127.0.0.1:7717', token: 'secret', pid: process.pid };

test('only its owner can read it, also when it existed before', async () => {
  const file = join(temporaryFolder(), 'bridge.json');
  writeFileSync(file, '{}', { mode: 0o644 });
  await writeBridgeFile(file, OURS);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readBridgeFile(file)).toEqual(OURS);
});

test.each(['', '{', '[]', '{"url":"http://127.0.0.1:1"}', JSON.stringify({ ...OURS, pid: 2 ** 30 })])(
  'nobody lends a browser by %j',
  async (text) => {
    const file = join(temporaryFolder(), 'bridge.json');
    writeFileSync(file, text);
    expect(await readBridgeFile(file)).toBeUndefined();
  },
);

test('removes only its own file', async () => {
  const file = join(temporaryFolder(), 'bridge.json');
  await writeBridgeFile(file, OURS);
  await removeBridgeFile(file, { ...OURS, token: 'another' });
  expect(existsSync(file)).toBe(true);
  await removeBridgeFile(file, OURS);
  expect(existsSync(file)).toBe(false);
});
