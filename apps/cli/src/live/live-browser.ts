import { type ControlPlane, createControlPlane, createLocalNetwork } from '@drawbridge/runtime';
import { attachBrowser, type CdpBrowser, launchBrowser } from '@drawbridge/runtime/cdp';
import type { SurfaceSource } from '@drawbridge/runtime/node';
import type { Terminal } from '../command.ts';
import type { DataFolder } from './data-folder.ts';
import type { BrowserOptions } from './live-arguments.ts';
import { extensionFlags } from './loaded-extension.ts';
import { retryUntilReady } from './retry.ts';
import { lendTabs } from './tab-choice.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts a browser, or attaches to a running one and lends the tabs that a person chose. */
export async function openBrowser(
  options: BrowserOptions,
  data: DataFolder,
  terminal: Terminal,
  controlPlane: ControlPlane = createControlPlane(),
): Promise<CdpBrowser> {
  const { attach, lend, profile, url, local = [], files: uploadFolders = [], extensionFolder } = options;
  const localNetwork = createLocalNetwork(local.map((address) => new URL(address).origin));
  if (attach !== undefined) {
    const browser = await retryUntilReady(
      'Connecting to the browser…',
      terminal,
      attachBrowser({ endpoint: attach, controlPlane, localNetwork, uploadFolders }),
    );
    try {
      await lendTabs(browser, lend, terminal);
      return browser;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }
  const headless = options.headless === true || !hasScreen();
  if (headless && options.headless !== true)
    terminal.printError('No screen was found, so Chromium runs headless.');
  const browser = await retryUntilReady(
    'Starting Chromium…',
    terminal,
    launchBrowser({
      headless,
      controlPlane,
      localNetwork,
      uploadFolders,
      ...(profile && { profile: data.profile(profile) }),
      ...(url && { url }),
      // Without a window Chromium's page is 800 × 600, and agents scroll to find anything.
      args: [
        ...(headless ? ['--window-size=1280,1100'] : []),
        ...(extensionFolder ? extensionFlags(extensionFolder) : []),
      ],
    }),
  );
  keepExtensionPages(browser);
  return browser;
}

/** Chromium with a window exits at once without a screen. */
export function hasScreen(env: Environment = process.env, platform: string = process.platform): boolean {
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

type Surface = ReturnType<SurfaceSource['surfaces']>[number];

const isExtensionPage = (url: string): boolean => url.startsWith('chrome-extension:');

/** Releases tabs with extension pages: people decide there, so no agent may read or press. */
function keepExtensionPages(browser: SurfaceSource): void {
  const keep = (surface: Surface): void => {
    const giveBack = (url: string): void => {
      // May be gone already.
      if (isExtensionPage(url)) surface.close().catch(() => {});
    };
    giveBack(surface.surface().url);
    surface.onEvent((event) => {
      if (event.kind === 'ready' || event.kind === 'moved') giveBack(event.url);
    });
  };
  for (const surface of browser.surfaces()) keep(surface);
  browser.onSurface(({ kind, surface }) => {
    if (kind === 'added') keep(surface);
  });
}
