import type { WorkerWords } from '../worker/words/en.ts';

/** What a person sees of a lent tab outside the page: a group and a badge. */
const GROUP_TITLE = 'Drawbridge';
const BADGE_COLOUR = '#b4531f';

/** The words of the button, as long as the tab is lent and when it is not. */
type ButtonWords = Pick<WorkerWords, 'lend' | 'takeBack'>;

export async function showLentTab(tabId: number, words: ButtonWords): Promise<void> {
  await Promise.allSettled([group(tabId), showBadge(tabId, words)]);
}

/** Chrome takes a tab's own badge away when the tab navigates. */
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

/** One group a window. A group of the person's own is left alone: the badge and the frame say it too. */
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
