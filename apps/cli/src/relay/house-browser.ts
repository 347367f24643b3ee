import { hostname } from 'node:os';
import type { Relay } from '@drawbridge/relay';
import { createControlPlane, type MapSource, ORDINARY_FORMS } from '@drawbridge/runtime';
import { browserBinary } from '@drawbridge/runtime/cdp';
import type { Terminal } from '../command.ts';
import type { DataFolder } from '../live/data-folder.ts';
import type { BrowserWishes } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { hasScreen, openBrowser } from '../live/live-browser.ts';
import { takesExtensions } from '../live/loaded-extension.ts';
import { patiently } from '../live/patience.ts';
import type { Tell } from './introduction.ts';

export interface HouseBrowserWishes extends BrowserWishes {
  /** With our extension in it, where it has a window to show it in. */
  readonly withExtension: boolean;
  /** The shop that was opened to try things in: its ordinary forms ask nobody. */
  readonly ownShop?: string | undefined;
}

/** Longer than anybody tries things, and over when another program has the port. */
const TRYING_MS = 24 * 60 * 60 * 1000;

export interface HouseBrowser {
  readonly hasExtension: boolean;
  readonly close: () => Promise<void>;
}

/** A browser is a convenience: the relay runs without one. */
export async function lendHouseBrowser(
  relay: Relay,
  maps: MapSource,
  wishes: HouseBrowserWishes,
  data: DataFolder,
  tell: Tell,
  terminal: Terminal,
): Promise<HouseBrowser | undefined> {
  const opening = new AsyncDisposableStack();
  try {
    const { browser, headless, extension, why } = await opened(wishes, data, terminal, relay.hosts);
    opening.defer(() => browser.close());
    const live = openLiveBridge({
      browser,
      // The relay has them too, and longer.
      maps: { ...maps, close: () => {} },
      asker: relay.asker,
      data,
      bridge: relay.bridge,
    });
    opening.defer(live.close);
    if (wishes.ownShop !== undefined) {
      const { grant_id } = live.grants.add({
        origin: wishes.ownShop,
        covers: { name: ORDINARY_FORMS, effect: 'act' },
        by: 'drawbridge up --shop',
        expires_at: Date.now() + TRYING_MS,
      });
      opening.defer(() => void live.grants.revoke(grant_id));
    }
    // What was permitted for good goes too: an agent that goes on is asked about, whatever it does.
    opening.defer(relay.onHalt(live.grants.revokeAll));
    const hasExtension = extension.folder !== undefined;
    const how = hasExtension ? ' with the extension' : '';
    tell({ event: 'browser', label: `Browser on ${hostname()}`, headless, extension: hasExtension }, [
      `Agents can use a ${headless ? 'headless ' : ''}browser${how}${why}.`,
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

/** With a window where there is a screen; where that turns out to be none, without. */
async function opened(
  wishes: HouseBrowserWishes,
  data: DataFolder,
  terminal: Terminal,
  relayHosts: readonly string[],
) {
  const open = async (headless: boolean, why: string) => {
    const extension = wishes.withExtension ? await extensionFor(headless, terminal) : NO_EXTENSION;
    const order = { ...wishes, headless, extensionFolder: extension.folder };
    return {
      browser: await openBrowser(order, data, terminal, createControlPlane(relayHosts)),
      headless,
      extension,
      why,
    };
  };
  if (wishes.headless === true) return open(true, '');
  if (!hasScreen()) return open(true, ' (no screen found)');
  return open(false, '').catch(() => open(true, ' (its window did not open)'));
}

interface ExtensionChoice {
  readonly folder: string | undefined;
  readonly remarks: readonly string[];
}

const NO_EXTENSION: ExtensionChoice = { folder: undefined, remarks: [] };

/** People use it in a window, or not at all. */
async function extensionFor(headless: boolean, terminal: Terminal): Promise<ExtensionChoice> {
  if (headless) return NO_EXTENSION;
  if (!(await takesExtensions(browserBinary())))
    return {
      folder: undefined,
      remarks: ['Load the extension into Chrome yourself: drawbridge extension shows how.'],
    };
  const { buildExtension } = await import('@drawbridge/extension');
  const folder = await patiently('Building the extension…', terminal, buildExtension());
  return { folder, remarks: [] };
}
