import { BridgeError } from '@drawbridge/protocol';
import { type ControlPlane, relayAddressRefused, type TabInfo, type Tabs } from '@drawbridge/runtime';
import { requireWebAddress } from '@drawbridge/runtime/parts';
import type { ChromeTab } from './chrome-tab.ts';
import { requireAllowed } from './going.ts';

export interface TabShelf {
  readonly lent: () => readonly ChromeTab[];
  /** Lends a tab opened by a call. */
  readonly opened: (tabId: number) => Promise<ChromeTab>;
  /** The rule that forbids this address. */
  readonly refusal: (url: string) => string | undefined;
  readonly controlPlane: Pick<ControlPlane, 'has'>;
}

/** Tabs visible to a lent tab: other lent ones, and those opened from them (BRG-66). */
export function createTabTools(shelf: TabShelf, own: number): Tabs {
  const tabOf = (tabId: string): ChromeTab => {
    const tab = shelf.lent().find((each) => String(each.tabId) === tabId);
    if (tab !== undefined) return tab;
    const message = `There is no tab ${tabId} here. List the tabs, then name one of them.`;
    throw new BridgeError('target_not_found', message, { evidence: { tab_id: tabId } });
  };
  const checked = (url: string): string => {
    const address = requireWebAddress(url);
    if (shelf.controlPlane.has(address)) throw relayAddressRefused();
    const refusal = shelf.refusal(address);
    if (refusal === undefined) return address;
    throw new BridgeError('permission_denied', refusal, { evidence: { reason: 'site_rule' } });
  };

  return {
    own: String(own),
    list: async () => shelf.lent().map(tabInfo),
    async activate(tabId) {
      await chrome.tabs.update(tabOf(tabId).tabId, { active: true });
    },
    async open(url, active) {
      const address = checked(url);
      await requireAllowed(address, undefined);
      const from = await chrome.tabs.get(own);
      const { id } = await chrome.tabs.create({
        url: address,
        active,
        windowId: from.windowId,
        openerTabId: own,
      });
      if (id === undefined) throw new BridgeError('handler_failed', 'Chrome opened no tab. Try again.');
      return tabInfo(await shelf.opened(id));
    },
    async close(tabId) {
      const tab = tabOf(tabId);
      const closed = new Promise<void>((resolve) => {
        tab.onEvent(({ kind }) => {
          if (kind === 'closed') resolve();
        });
      });
      await chrome.tabs.remove(tab.tabId);
      await closed;
    },
    async navigate(to, tabId = String(own)) {
      return tabOf(tabId).navigate('url' in to ? { url: checked(to.url) } : to);
    },
  };
}

function tabInfo({ tabId, runtimeKey, surface }: ChromeTab): TabInfo {
  return { tab_id: String(tabId), runtime_key: runtimeKey, ...surface() };
}
