import { BridgeError } from '@drawbridge/protocol';
import type { Surface } from '@drawbridge/runtime';
import {
  type Destination,
  isHttp,
  requireWebAddress,
  type TabState,
  withoutFragment,
} from '@drawbridge/runtime/parts';
import { isErrorPage } from './document-call.ts';
import type { TabDocument } from './tab-frames.ts';

const NAVIGATION_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 250;

type NavigationProblem = () => BridgeError | undefined;

/** Resolves when the new document is ready, or rejects with the reason. */
export async function goTo(
  tabId: number,
  to: Destination,
  state: TabState<TabDocument>,
  problem: NavigationProblem,
  requireRuledIn: (url: string) => void,
): Promise<Surface> {
  if ('back' in to) return goBack(tabId, state, problem, requireRuledIn);
  if ('url' in to) return go(tabId, to, state, problem);
  // Chrome's reload would repeat a POST, so the address is opened again.
  const url = (await chrome.tabs.get(tabId)).url ?? state.surface().url;
  // Only http pages can be answers to a form.
  if (!isHttp(url)) return go(tabId, to, state, problem);
  const surface = await go(tabId, { url: withoutFragment(url) }, state, problem);
  // With its fragment it would be a same-document navigation.
  return url.includes('#') ? go(tabId, { url }, state, problem) : surface;
}

/**
 * Chrome does not reveal the previous address: rules are checked after going back, and the tab goes forward
 * again if refused.
 */
async function goBack(
  tabId: number,
  state: TabState<TabDocument>,
  problem: NavigationProblem,
  requireRuledIn: (url: string) => void,
): Promise<Surface> {
  const from = state.surface().url;
  try {
    const surface = await go(tabId, { back: true }, state, problem);
    const address = requireWebAddress(surface.url);
    requireRuledIn(address);
    await requireAllowed(address, from);
    return surface;
  } catch (error) {
    if (state.phase.kind !== 'closed' && (await chrome.tabs.get(tabId)).url !== from)
      await comeForward(tabId, state).catch(() => undefined);
    throw error;
  }
}

async function comeForward(tabId: number, state: TabState<TabDocument>): Promise<void> {
  const { documents, moves } = state;
  await chrome.tabs.goForward(tabId);
  const isThere = () => state.moves > moves || (state.documents > documents && state.phase.kind === 'ready');
  await state.until(isThere, NAVIGATION_LIMIT_MS, tooSlow);
}

async function go(
  tabId: number,
  to: Destination,
  state: TabState<TabDocument>,
  problem: NavigationProblem,
): Promise<Surface> {
  const url = 'url' in to ? requireWebAddress(to.url) : undefined;
  if (url !== undefined) {
    state.requireOpenTo(url);
    await requireAllowed(url, state.surface().url);
  }
  const { documents, moves } = state;
  const isThere = () => state.moves > moves || (state.documents > documents && state.phase.kind === 'ready');
  // On a page that was unreachable before, problem tells nothing about the next one.
  const wasLost = problem() !== undefined;
  const isLost = () => !wasLost && state.phase.kind === 'loading' && problem() !== undefined;
  const stop = watchForNothing(tabId, () => state.documents === documents);
  try {
    if (url !== undefined) await chrome.tabs.update(tabId, { url });
    else if ('reload' in to) await chrome.tabs.reload(tabId);
    else await chrome.tabs.goBack(tabId).catch(() => Promise.reject(noPageBefore()));
    await Promise.race([
      state.until(() => isThere() || isLost(), NAVIGATION_LIMIT_MS, tooSlow),
      stop.nothingCame,
    ]);
  } finally {
    stop.end();
  }
  const error = problem();
  if (error === undefined) return state.surface();
  if (!isErrorPage(error)) throw error;
  const message = `The browser could not open ${url ?? 'the page'}. Check the address.`;
  throw new BridgeError('handler_failed', message, { evidence: { url, reason: 'error_page' } });
}

/** activeTab ends with the origin, so a tab that leaves it would be lost. */
export async function requireAllowed(url: string, from: string | undefined): Promise<void> {
  if (url === 'about:blank') return;
  const { origin, protocol, hostname } = new URL(url);
  if (from !== undefined && URL.canParse(from) && new URL(from).origin === origin) return;
  // Patterns have no ports: https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns.
  if (await chrome.permissions.contains({ origins: [`${protocol}//${hostname}/*`] })) return;
  const message = `The person has not allowed the extension at ${origin}, so it could do nothing there. Ask them to open it and press the button in the toolbar.`;
  throw new BridgeError('permission_denied', message, { evidence: { reason: 'site_not_allowed', origin } });
}

/** An empty response or a download keeps the document, and Chrome sends no event. */
function watchForNothing(tabId: number, isSame: () => boolean) {
  const { promise: nothingCame, resolve } = Promise.withResolvers<void>();
  let quiet = 0;
  const timer = setInterval(async () => {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    const isIdle = tab?.status === 'complete' && tab.pendingUrl === undefined;
    quiet = isIdle && isSame() ? quiet + 1 : 0;
    if (quiet >= 3) resolve();
  }, LOOK_EVERY_MS);
  return { nothingCame, end: () => clearInterval(timer) };
}

const noPageBefore = (): BridgeError =>
  new BridgeError('state_mismatch', 'There is no page before this one in the tab.');

function tooSlow(): BridgeError {
  return new BridgeError('handler_timeout', 'The page did not load in time. Look at the tab, or try again.');
}
