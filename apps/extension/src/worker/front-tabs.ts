import { cannotLend } from '../tabs/claim.ts';
import type { FrontTab } from '../wire.ts';

/** The tab in front in each window, as far as Chrome shows it to us. */
export interface FrontTabs {
  readonly view: () => Readonly<Record<number, FrontTab>>;
  readonly refresh: () => Promise<void>;
}

export function createFrontTabs(onChange: () => void): FrontTabs {
  let front: Readonly<Record<number, FrontTab>> = {};
  return {
    view: () => front,
    async refresh() {
      const tabs = await chrome.tabs.query({ active: true });
      front = Object.fromEntries(tabs.flatMap((tab) => frontOf(tab) ?? []));
      onChange();
    },
  };
}

function frontOf({ id, windowId, title = '', url = '', favIconUrl }: chrome.tabs.Tab) {
  if (id === undefined) return undefined;
  const why = cannotLend(url);
  const front: FrontTab = {
    tabId: id,
    title,
    url,
    ...(favIconUrl !== undefined && { icon: favIconUrl }),
    ...(why !== undefined && { cannotLend: why }),
  };
  return [[windowId, front] as const];
}
