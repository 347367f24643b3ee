import type { WorkerWords } from '../worker/words/en.ts';

/** Signs of a lent tab outside the page: a group and a badge. */
const GROUP_TITLE = 'Drawbridge';
const BADGE_COLOUR = '#b4531f';

/** Titles of the button for lent and other tabs. */
type ButtonWords = Pick<WorkerWords, 'lend' | 'takeBack'>;

export async function showLentTab(tabId: number, words: ButtonWords): Promise<void> {
  await Promise.allSettled([group(tabId), showBadge(tabId, words)]);
}

/** Chrome removes a tab's badge on navigation. */
export async function showBadge(tabId: number, { takeBack }: ButtonWords): Promise<void> {
  await chrome.action.setBadgeBackgroundColor({ tabId, color: BADGE_COLOUR });
  await chrome.action.setBadgeText({ tabId, text: '●' });
  await chrome.action.setTitle({ tabId, title: takeBack });
}

export async function hideLentTab(tabId: number, { lend }: ButtonWords): Promise<void> {
  await Promise.allSettled([
    ungroup(tabId),
    chrome.action.setBadgeText({ tabId, text: '' }),
    chrome.action.setTitle({ tabId, title: lend }),
  ]);
}

/** One group per window. The person's own groups are left alone: badge and border suffice. */
async function group(tabId: number): Promise<void> {
  const { windowId, groupId } = await chrome.tabs.get(tabId);
  if (groupId !== chrome.tabGroups.TAB_GROUP_ID_NONE) return;
  const [ours] = await chrome.tabGroups.query({ title: GROUP_TITLE, windowId });
  const made = await chrome.tabs.group(
    ours === undefined
      ? { tabIds: [tabId], createProperties: { windowId } }
      : { tabIds: [tabId], groupId: ours.id },
  );
  if (ours === undefined) await chrome.tabGroups.update(made, { title: GROUP_TITLE, color: 'orange' });
}

async function ungroup(tabId: number): Promise<void> {
  const { groupId } = await chrome.tabs.get(tabId);
  if (groupId === chrome.tabGroups.TAB_GROUP_ID_NONE) return;
  const { title } = await chrome.tabGroups.get(groupId);
  if (title === GROUP_TITLE) await chrome.tabs.ungroup(tabId);
}
