import type { ControlPlane } from '@drawbridge/runtime';
import { cannotLend } from '../tabs/claim.ts';
import type { FrontTab } from '../wire.ts';
import type { WorkerWords } from './words/en.ts';

/** Active tab of each window, as far as Chrome shows it. */
export function createFrontTabs(onChange: () => void, controlPlane: Pick<ControlPlane, 'has'>) {
  let front: readonly chrome.tabs.Tab[] = [];
  return {
    view: (words: WorkerWords): Readonly<Record<number, FrontTab>> =>
      Object.fromEntries(front.flatMap((tab) => frontOf(tab, words, controlPlane) ?? [])),
    async refresh(): Promise<void> {
      front = await chrome.tabs.query({ active: true });
      onChange();
    },
  };
}

function frontOf(
  { id, windowId, title = '', url = '', favIconUrl }: chrome.tabs.Tab,
  { why: says }: WorkerWords,
  controlPlane: Pick<ControlPlane, 'has'>,
) {
  if (id === undefined) return undefined;
  const why = cannotLend(url, controlPlane);
  const front: FrontTab = {
    tabId: id,
    title,
    url,
    ...(favIconUrl !== undefined && { icon: favIconUrl }),
    ...(why !== undefined && { cannotLend: says[why]() }),
  };
  return [[windowId, front] as const];
}
