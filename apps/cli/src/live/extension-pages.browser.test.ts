import { buildExtension } from '@drawbridge/extension';
import { chromiumPath } from '@drawbridge/testbed';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { terminalOf } from '../../test/terminal.ts';
import { openDataFolder } from './data-folder.ts';
import { openBrowser } from './live-browser.ts';

vi.setConfig({ testTimeout: 300_000 });

const LONG_POLL = { timeout: 60_000 };
const isOfExtension = ({ url }: { readonly url: string }): boolean => url.startsWith('chrome-extension:');

// A headless shell runs no extensions.
vi.stubEnv('CHROME_PATH', chromiumPath());
afterAll(() => vi.unstubAllEnvs());

test('the lent browser has the extension, whose pages are not lent', async () => {
  const extensionFolder = await buildExtension({ mode: 'test' });
  const data = await openDataFolder(temporaryFolder());
  const browser = await openBrowser({ headless: true, extensionFolder }, data, terminalOf('').terminal);
  onTestFinished(() => browser.close());
  // The extension's welcome page.
  await expect.poll(() => browser.knownTabs().filter(isOfExtension), LONG_POLL).toHaveLength(1);
  await expect
    .poll(() => browser.knownTabs().filter((tab) => isOfExtension(tab) && tab.lent), LONG_POLL)
    .toEqual([]);
  expect(browser.surfaces().map((surface) => surface.surface().url)).toEqual(['about:blank']);
});
