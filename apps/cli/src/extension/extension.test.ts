import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildExtension } from '@drawbridge/extension';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-extension-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('unpacks the extension twice, with instructions to load it', async () => {
  const out = join(await emptyFolder(), 'there');
  for (let time = 0; time < 2; time++) {
    const { code, text } = await drawbridge(['extension', '--out', out]);
    expect(code).toBe(0);
    expect(text).toContain(`The extension is in ${out}`);
    expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
      manifest_version: 3,
    });
  }
});

test('leaves a folder with other files alone', async () => {
  const out = await emptyFolder();
  await writeFile(join(out, 'letter.txt'), 'Dear reader');
  const { code, errors } = await drawbridge(['extension', '--out', out]);
  expect(code).toBe(1);
  expect(errors).toContain('Name another folder with --out');
  expect(await readFile(join(out, 'letter.txt'), 'utf8')).toBe('Dear reader');
});

const run = promisify(execFile);
const HAS_UNZIP = spawnSync('unzip', ['-v']).status === 0;

/** All files below a folder, by relative path. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();

test.skipIf(!HAS_UNZIP)(
  'the zip contains exactly the store build',
  async () => {
    const out = await emptyFolder();
    const { code, text } = await drawbridge(['extension', '--zip', '--json', '--out', out]);
    expect(code).toBe(0);
    const path = join(out, 'drawbridge.zip');
    expect(JSON.parse(text)).toEqual({ path });
    expect(await readdir(out)).toEqual(['drawbridge.zip']);
    const unpacked = await emptyFolder();
    await run('unzip', ['-q', path, '-d', unpacked]);
    const built = await buildExtension({ mode: 'store' });
    const names = await filesIn(unpacked);
    expect(names).toEqual(await filesIn(built));
    expect(names).toEqual(
      expect.arrayContaining(['manifest.json', 'background.js', 'page.js', 'sandbox.html']),
    );
    for (const name of names)
      expect(await readFile(join(unpacked, name)), name).toEqual(await readFile(join(built, name)));
    expect(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')).permissions).not.toContain(
      'debugger',
    );
  },
  240_000,
);

test('the pairing link lets in an extension once, as a browser and a person', async () => {
  const data = await emptyFolder();
  const relay = await startRelay({ port: 0, data, log: () => {} });
  onTestFinished(() => relay.close());
  const { code, text } = await drawbridge([
    'pair',
    '--role',
    'extension',
    '--name',
    'Chrome',
    '--data',
    data,
  ]);
  expect(code).toBe(0);
  const secret = /#pair=([\w-]+)/.exec(text)?.[1];
  const pair = () =>
    fetch(`${relay.url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, as: 'token', label: 'Chrome' }),
    });
  const paired = await pair();
  expect(paired.status).toBeLessThan(300);
  const { token, roles } = await paired.json();
  expect(roles.toSorted()).toEqual(['person', 'runtime']);
  const me = await fetch(`${relay.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ roles });
  expect((await pair()).status).toBeGreaterThanOrEqual(400);
});
