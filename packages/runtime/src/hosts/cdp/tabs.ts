import { BridgeError } from '@drawbridge/protocol';
import { isControlPlaneError, relayAddressRefused } from '../../address/control-plane.ts';
import type { TabInfo, Tabs } from '../../host.ts';
import type { Session } from './connection.ts';
import { rethrow } from './isolated-world.ts';
import { requireWebAddress } from './navigation.ts';
import type { CdpSurface } from './surface.ts';

export interface TabShelf {
  readonly browser: Session;
  readonly lent: () => readonly CdpSurface[];
  /** The surface of a tab that we just opened, ready or not. */
  readonly opened: (targetId: string) => Promise<CdpSurface>;
  readonly activated: (targetId: string) => void;
  readonly isForbidden: (url: string) => boolean;
}

/** The lent tabs, as seen from one of them. */
export function createTabs(shelf: TabShelf, own: string): Tabs {
  const { browser } = shelf;
  const surfaceOf = (tabId: string): CdpSurface => {
    const surface = shelf.lent().find(({ targetId }) => targetId === tabId);
    if (surface !== undefined) return surface;
    const message = `There is no tab ${tabId} here. List the tabs, then name one of them.`;
    throw new BridgeError('target_not_found', message, { evidence: { tab_id: tabId } });
  };

  return {
    own,
    list: () => Promise.resolve(shelf.lent().map(tabInfo)),
    async activate(tabId) {
      await browser.send('Target.activateTarget', { targetId: surfaceOf(tabId).targetId }).catch(rethrow);
      shelf.activated(tabId);
    },
    async open(url, active) {
      const address = requireWebAddress(url);
      if (shelf.isForbidden(address)) throw relayAddressRefused();
      // Opens an empty tab first, so that the navigation can report its own error.
      const { targetId } = await browser.send('Target.createTarget', {
        url: 'about:blank',
        background: !active,
      });
      if (active) shelf.activated(targetId);
      const surface = await shelf.opened(targetId);
      try {
        await surface.ready();
        if (address !== 'about:blank') await surface.navigate({ url: address });
        return tabInfo(surface);
      } catch (error) {
        // Only the agent asked for this tab, and it may not have it.
        if (isControlPlaneError(error))
          await browser.send('Target.closeTarget', { targetId }).catch(() => undefined);
        throw error;
      }
    },
    async close(tabId) {
      const surface = surfaceOf(tabId);
      const closed = new Promise<void>((resolve) => {
        surface.onEvent(({ kind }) => {
          if (kind === 'closed' || kind === 'dialog') resolve();
        });
      });
      await browser.send('Target.closeTarget', { targetId: tabId });
      await closed;
    },
    navigate: async (to, tabId = own) => surfaceOf(tabId).navigate(to),
  };
}

function tabInfo({ targetId, runtimeKey, surface }: CdpSurface): TabInfo {
  return { tab_id: targetId, runtime_key: runtimeKey, ...surface() };
}
