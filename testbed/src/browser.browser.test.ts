import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchChromium, openPage } from './browser.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-testbed-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }));
  return folder;
}

async function unpackedExtension(): Promise<string> {
  const folder = await temporaryFolder();
  const manifest = {
    manifest_version: 3,
    name: 'Testbed probe',
    version: '1',
    background: { service_worker: 'worker.js' },
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'worker.js'), 'self.started = true;');
  return folder;
}

test('opens a page in a fresh context each time', async () => {
  await using first = await openPage();
  await using second = await openPage();
  expect(first.context.browser()).toBe(second.context.browser());
  await first.context.addCookies([{ name: 'seen', value: 'yes', url: 'http://127.0.0.1' }]);
  expect(await first.context.cookies()).toHaveLength(1);
  expect(await second.context.cookies()).toEqual([]);
});

test('passes on the context options', async () => {
  await using opened = await openPage({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  const seen = await opened.page.evaluate(() => ({
    width: innerWidth,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }));
  expect(seen).toEqual({ width: 390, dark: true, still: true });
});

test('can open a page without JavaScript', async () => {
  const html = `<p>plain</p><script>document.querySelector('p').textContent = 'scripted'</script>`;
  const textIn = async (javaScriptEnabled: boolean) => {
    await using opened = await openPage({ javaScriptEnabled });
    await opened.page.setContent(html);
    return await opened.page.locator('p').textContent();
  };
  expect(await textIn(false)).toBe('plain');
  expect(await textIn(true)).toBe('scripted');
});

test('closes its context at the end of the block, and a second close does nothing', async () => {
  let opened: Awaited<ReturnType<typeof openPage>> | undefined;
  {
    await using scoped = await openPage();
    opened = scoped;
    expect(scoped.page.isClosed()).toBe(false);
  }
  expect(opened.page.isClosed()).toBe(true);
  await opened.close();
});

test('launches a Chromium with an extension and removes its profile', async () => {
  const extension = await unpackedExtension();
  const launched = await launchChromium({ extension });
  const worker = await launched.extensionWorker();
  expect(await worker.evaluate('chrome.runtime.getManifest().name')).toBe('Testbed probe');
  expect(await worker.evaluate('self.started')).toBe(true);
  expect(existsSync(launched.userDataDir)).toBe(true);
  await launched.close();
  await launched.close();
  expect(existsSync(launched.userDataDir)).toBe(false);
});

test('keeps a given profile over a restart', async () => {
  const userDataDir = await temporaryFolder();
  {
    await using first = await launchChromium({ userDataDir });
    const inOneYear = Math.floor(Date.now() / 1000) + 365 * 24 * 3600;
    await first.context.addCookies([
      { name: 'kept', value: 'yes', url: 'http://127.0.0.1', expires: inOneYear },
    ]);
  }
  {
    await using second = await launchChromium({ userDataDir, args: ['--user-agent=Testbed'] });
    expect((await second.context.cookies()).map(({ name }) => name)).toEqual(['kept']);
    const page = await second.context.newPage();
    expect(await page.evaluate(() => navigator.userAgent)).toBe('Testbed');
  }
});
