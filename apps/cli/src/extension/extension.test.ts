import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { drawbridge } from '../../test/terminal.ts';
import { ownCommand } from '../path/own-command.ts';

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
  for (const page of ['options.html', 'welcome.html'])
    expect(await readFile(join(out, page), 'utf8')).toContain(
      `<meta name="drawbridge-command" content="${ownCommand()}"`,
    );
});

test('leaves a folder with other files alone', async () => {
  const out = await emptyFolder();
  await writeFile(join(out, 'letter.txt'), 'Dear reader');
  const { code, errors } = await drawbridge(['extension', '--out', out]);
  expect(code).toBe(1);
  expect(errors).toContain('Name another folder with --out');
  expect(await readFile(join(out, 'letter.txt'), 'utf8')).toBe('Dear reader');
});

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
