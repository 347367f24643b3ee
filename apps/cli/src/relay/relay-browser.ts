import { hostname } from 'node:os';
import type { Relay } from '@drawbridge/relay';
import { createControlPlane, type MapSource, ORDINARY_FORMS } from '@drawbridge/runtime';
import { browserBinary, isCarried } from '@drawbridge/runtime/cdp';
import type { Terminal } from '../command.ts';
import type { DataFolder } from '../live/data-folder.ts';
import { type BrowserOptions, inspectKeysOf } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { hasScreen, openBrowser } from '../live/live-browser.ts';
import { takesExtensions } from '../live/loaded-extension.ts';
import { retryUntilReady } from '../live/retry.ts';
import { ownCommand } from '../path/own-command.ts';
import type { Print } from './introduction.ts';

export interface RelayBrowserOptions extends BrowserOptions {
  /** Load our extension, if the browser has a window. */
  readonly withExtension: boolean;
  /** Origin of the demo shop, whose ordinary forms need no approval. */
  readonly ownShop?: string | undefined;
}

/** Longer than anybody tries things; expires in case another program gets the port. */
const TRYING_MS = 24 * 60 * 60 * 1000;

export interface RelayBrowser {
  readonly hasExtension: boolean;
  readonly close: () => Promise<void>;
}

/** Optional: the relay runs without a browser. */
export async function lendRelayBrowser(
  relay: Relay,
  maps: MapSource,
  options: RelayBrowserOptions,
  data: DataFolder,
  tell: Print,
  terminal: Terminal,
): Promise<RelayBrowser | undefined> {
  const opening = new AsyncDisposableStack();
  try {
    const { browser, headless, extension, why } = await opened(options, data, terminal, relay.hosts);
    opening.defer(() => browser.close());
    const live = openLiveBridge({
      browser,
      // Shared with the relay, which closes them.
      maps: { ...maps, close: () => {} },
      asker: relay.asker,
      data,
      bridge: relay.bridge,
      inspectKeys: inspectKeysOf(options),
      offerToPage: options['offer-maps'],
    });
    opening.defer(live.close);
    if (options.ownShop !== undefined) {
      const { grant_id } = live.grants.add({
        origin: options.ownShop,
        covers: { name: ORDINARY_FORMS, effect: 'act' },
        by: 'drawbridge up --shop',
        expires_at: Date.now() + TRYING_MS,
      });
      opening.defer(() => void live.grants.revoke(grant_id));
    }
    // Revokes permanent grants too: agents must ask again for everything.
    opening.defer(relay.onHalt(live.grants.revokeAll));
    const hasExtension = extension.folder !== undefined;
    tell({ event: 'browser', label: `Browser on ${hostname()}`, headless, extension: hasExtension }, [
      lentBrowserText({ headless, hasExtension, why }),
      ...extension.remarks,
    ]);
    let isOurs = false;
    void live.over.then(() => {
      if (!isOurs) tell({ event: 'browser_gone' }, ['The browser was closed. The relay keeps running.']);
    });
    return {
      hasExtension,
      close() {
        isOurs = true;
        return opening.disposeAsync();
      },
    };
  } catch (error) {
    await opening.disposeAsync();
    const message = error instanceof Error ? error.message : String(error);
    tell({ event: 'browser_failed', message }, [`Agents have no browser: ${message}`]);
    return undefined;
  }
}

interface LentBrowser {
  readonly headless: boolean;
  readonly hasExtension: boolean;
  /** Why it has no window; empty if it has one, or none was asked for. */
  readonly why: string;
}

export const lentBrowserText = ({ headless, hasExtension, why }: LentBrowser): string =>
  `Agents can use a ${headless ? 'headless ' : ''}browser${hasExtension ? ' with the extension' : ''}${why}.`;

export const NO_SCREEN = ' (no screen found)';

/** With a window if there is a screen; falls back to headless. */
async function opened(
  options: RelayBrowserOptions,
  data: DataFolder,
  terminal: Terminal,
  relayHosts: readonly string[],
) {
  const open = async (headless: boolean, why: string) => {
    const extension = options.withExtension ? await extensionFor(headless, terminal) : NO_EXTENSION;
    const order = { ...options, headless, extensionFolder: extension.folder };
    return {
      browser: await openBrowser(order, data, terminal, createControlPlane(relayHosts)),
      headless,
      extension,
      why,
    };
  };
  if (options.headless === true) return open(true, '');
  if (isCarried(browserBinary())) return open(true, ' (the one from npm has no window and no extension)');
  if (!hasScreen()) return open(true, NO_SCREEN);
  return open(false, '').catch(() => open(true, ' (its window did not open)'));
}

interface ExtensionChoice {
  readonly folder: string | undefined;
  readonly remarks: readonly string[];
}

const NO_EXTENSION: ExtensionChoice = { folder: undefined, remarks: [] };

/** The extension needs a window. */
async function extensionFor(headless: boolean, terminal: Terminal): Promise<ExtensionChoice> {
  if (headless) return NO_EXTENSION;
  if (!(await takesExtensions(browserBinary())))
    return {
      folder: undefined,
      remarks: ['Load the extension into Chrome yourself: drawbridge extension shows how.'],
    };
  const { buildExtension } = await import('@drawbridge/extension');
  const folder = await retryUntilReady(
    'Building the extension…',
    terminal,
    buildExtension({ command: ownCommand() }),
  );
  return { folder, remarks: [] };
}
