import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../terminal.suite.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-extension-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the extension is put where it was asked for, twice, with the way to load it', async () => {
  const out = join(await emptyFolder(), 'there');
  for (let time = 0; time < 2; time++) {
    const { code, text } = await drawbridge(['extension', '--out', out]);
    expect(code).toBe(0);
    expect(text).toContain(`The extension is in ${out}`);
    expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
      manifest_version: 3,
    });
  }
}, 120_000);

test('a folder with something else in it is left alone', async () => {
  const out = await emptyFolder();
  await writeFile(join(out, 'letter.txt'), 'Dear reader');
  const { code, errors } = await drawbridge(['extension', '--out', out]);
  expect(code).toBe(1);
  expect(errors).toContain('Name another folder with --out');
  expect(await readFile(join(out, 'letter.txt'), 'utf8')).toBe('Dear reader');
}, 120_000);
