import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { builtFiles } from './built-files.ts';
import { webApp } from './index.ts';
import { sourceHash } from './source-hash.ts';
import { readStaticFiles } from './static-files.ts';

const FIRST_LOAD_BYTES = 170_000;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'web-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const ask = (app: ReturnType<typeof webApp>, path: string, headers: Record<string, string> = {}) =>
  app(new Request(`http://relay.example${path}`, { headers }));

test('the first screen loads at most 170 kB, and the page has no inline code', async () => {
  const files = await readStaticFiles(await builtFiles());
  const page = Buffer.from(files.get('/index.html')?.plain ?? []).toString();
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  const loaded = ['/index.html', ...named.filter((path) => !/\.(svg|png)$/.test(path))];
  const bytes = loaded
    .map((path) => gzipSync(files.get(path)?.plain ?? '').length)
    .reduce((sum, one) => sum + one, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  // BRG-174
  expect(page).toContain('<meta name="drawbridge" content="control-plane" />');
  expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  const texts = [...files].map(([path, { plain }]) => [path, Buffer.from(plain).toString()] as const);
  const shell = texts.find(([path]) => path === '/sw.js')?.[1] ?? '';
  expect(shell).not.toContain('__');
  for (const path of named.filter((one) => one.startsWith('/assets/'))) expect(shell).toContain(path);
});

test('every path without a file serves the page; a missing file is an error', async () => {
  const folder = await folderOf({ 'index.html': '<p>page</p>', 'assets/a.js': 'one()' });
  const app = webApp(async () => folder);
  for (const path of ['/', '/s/some%20session', '/devices'])
    expect(await (await ask(app, path)).text()).toBe('<p>page</p>');
  expect((await ask(app, '/assets/b.js')).status).toBe(404);
  expect((await ask(app, '/robots.txt')).status).toBe(404);
  const asset = await ask(app, '/assets/a.js', { 'accept-encoding': 'gzip, br' });
  expect(Object.fromEntries(asset.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect(
    (await ask(app, '/assets/a.js', { 'accept-encoding': 'gzip;q=0' })).headers.has('content-encoding'),
  ).toBe(false);
  const page = await ask(app, '/');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const again = await ask(app, '/', { 'if-none-match': page.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});

test('reports a failed build, and tries again on the next request', async () => {
  const folder = await folderOf({ 'index.html': 'there' });
  let tries = 0;
  const app = webApp(async () => {
    tries += 1;
    if (tries === 1) throw new Error('No disk.');
    return folder;
  });
  const failed = await ask(app, '/');
  expect([failed.status, await failed.text()]).toEqual([503, expect.stringContaining('No disk.')]);
  expect((await ask(app, '/')).status).toBe(200);
});

test('a build depends on its sources, not on their tests', async () => {
  const files = { 'a.ts': 'one', 'a.test.ts': 'test' };
  const [first, same, tested, changed, moved] = await Promise.all(
    [files, files, { ...files, 'a.test.ts': 'other' }, { ...files, 'a.ts': 'two' }, { 'b.ts': 'one' }].map(
      async (some) => sourceHash([await folderOf(some)]),
    ),
  );
  expect(same).toBe(first);
  expect(tested).toBe(first);
  expect(changed).not.toBe(first);
  expect(moved).not.toBe(first);
});

test('the page names the command that works on the relay’s machine', async () => {
  const folder = await folderOf({
    'index.html': '<head><meta name="drawbridge-command" content="drawbridge" /></head>',
  });
  const page = async (command?: string) =>
    (
      await ask(
        webApp(async () => folder, command),
        '/',
      )
    ).text();
  expect(await page()).toContain('content="drawbridge"');
  expect(await page('/srv/a "b"/drawbridge')).toContain('content="/srv/a &quot;b&quot;/drawbridge"');
});
