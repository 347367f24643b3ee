import { PANEL_PORT, type Pairing, STORED } from '../wire.ts';
import type { PagePorts } from './ports.ts';

/** Host permission pattern such as `https://shop.example/*`, without a port as Chrome requires. */
export const sitePattern = (url: string): string => {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
};

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Written by the worker; undefined if the storage was cleared. */
export function parsePairing(stored: unknown): Pairing | undefined {
  const { url, token, deviceId, name } = fields(stored);
  if (typeof url !== 'string' || typeof token !== 'string' || typeof deviceId !== 'string') return undefined;
  return { url, token, deviceId, name: typeof name === 'string' ? name : '' };
}

const tabIn = (search: string): number | undefined => {
  const tab = Number(new URLSearchParams(search).get('tab') ?? Number.NaN);
  return Number.isInteger(tab) ? tab : undefined;
};

export const chromePorts = (): PagePorts => ({
  connect: () => chrome.runtime.connect({ name: PANEL_PORT }),
  windowId: async () => (await chrome.windows.getCurrent()).id ?? chrome.windows.WINDOW_ID_NONE,
  tabId: tabIn(location.search),
  pairing: async () => parsePairing((await chrome.storage.local.get(STORED.pairing))[STORED.pairing]),
  onPairing(listener) {
    const hear = (changes: Readonly<Record<string, unknown>>): void => {
      if (Object.hasOwn(changes, STORED.pairing)) listener();
    };
    chrome.storage.local.onChanged.addListener(hear);
    return () => chrome.storage.local.onChanged.removeListener(hear);
  },
  askForSite: (url) => chrome.permissions.request({ origins: [sitePattern(url)] }),
  openOptions: () => void chrome.runtime.openOptionsPage(),
  openTab: (url) => void chrome.tabs.create({ url }),
  showTab: (tabId) => void chrome.tabs.update(tabId, { active: true }).catch(() => {}),
});
