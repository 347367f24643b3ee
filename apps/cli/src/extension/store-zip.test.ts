import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildExtension } from '@drawbridge/extension';
import { expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-extension-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const run = promisify(execFile);

/** All files below a folder, by relative path. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();

test('the zip contains exactly the store build', async () => {
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
});
