import { BridgeError } from '@drawbridge/protocol';
import type { Surface, Tabs } from '../../host.ts';
import type { Session } from './connection.ts';
import type { OpenDialogs } from './open-dialogs.ts';
import type { TabState } from './tab-state.ts';

export type Destination = Parameters<Tabs['navigate']>[0];

const NAVIGATION_LIMIT_MS = 30_000;
const ERROR_PAGE_LIMIT_MS = 3_000;
const MOVE_LIMIT_MS = 1_000;
/** The browser opened nothing on purpose; the tab stays on its page. */
const ABORTED = 'net::ERR_ABORTED';

/** Never `file:`, `chrome:` or `javascript:`, which reach beyond the web. */
export function requireWebAddress(url: string): string {
  if (url === 'about:blank') return url;
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed.href;
  const message = `${url.slice(0, 200)} is no address that a tab may go to: it must begin with http:// or https://.`;
  throw new BridgeError('invalid_input', message);
}

/** Resolves when the new document is ready; fails with the browser's own message. */
export function navigate(
  session: Session,
  state: TabState,
  dialogs: OpenDialogs,
  to: Destination,
): Promise<Surface> {
  return dialogs.guard(async () => {
    if ('url' in to) await goTo(session, state, openAddress(state, to.url));
    else if ('reload' in to) await getAgain(session, state);
    else await goBack(session, state);
    return state.surface();
  });
}

function openAddress(state: TabState, url: string): string {
  const address = requireWebAddress(url);
  state.requireOpenTo(address);
  return address;
}

async function goTo(session: Session, state: TabState, url: string): Promise<void> {
  const { errorText, loaderId, isDownload } = await state.guard(session.send('Page.navigate', { url }));
  if (isDownload === true) return;
  if (errorText !== undefined) {
    // Waits for the error page, because a navigation that starts before it would be lost.
    if (loaderId !== undefined && errorText !== ABORTED)
      await readyWith(state, loaderId, ERROR_PAGE_LIMIT_MS).catch(() => undefined);
    const message = `The browser could not open ${url}: ${errorText}. Check the address.`;
    throw new BridgeError('handler_failed', message, { evidence: { url, reason: errorText } });
  }
  if (loaderId !== undefined) return readyWith(state, loaderId, NAVIGATION_LIMIT_MS);
  // A same-document navigation is reported slightly later, unless the page has moved on.
  await state.until(() => state.surface().url === url, MOVE_LIMIT_MS, tooSlow).catch(() => undefined);
}

/**
 * `Page.reload` would resubmit a form whose answer is shown (POST), so the address is loaded with a new GET.
 * The fragment is applied afterwards: with it, the load would be a same-document navigation.
 */
async function getAgain(session: Session, state: TabState): Promise<void> {
  const { currentIndex, entries } = await state.guard(session.send('Page.getNavigationHistory'));
  const url = entries[currentIndex]?.url ?? state.surface().url;
  // Only HTTP documents can be answers to a form.
  if (!isHttp(url)) return anotherDocument(state, () => session.send('Page.reload'));
  await goTo(session, state, withoutFragment(url));
  if (url.includes('#')) await goTo(session, state, url);
}

export const isHttp = (url: string): boolean => /^https?:/i.test(url);
export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/** The document of this navigation or a later one. */
function readyWith(state: TabState, loaderId: string, limitMs: number): Promise<void> {
  let begun = false;
  const isReady = () => {
    begun ||= state.loaderId === loaderId;
    return begun && state.phase.kind === 'ready';
  };
  return state.until(isReady, limitMs, tooSlow);
}

async function goBack(session: Session, state: TabState): Promise<void> {
  const { currentIndex, entries } = await state.guard(session.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex - 1];
  if (entry === undefined) {
    throw new BridgeError('state_mismatch', 'There is no page before this one in the tab.');
  }
  openAddress(state, entry.url);
  await anotherDocument(state, () => session.send('Page.navigateToHistoryEntry', { entryId: entry.id }));
}

async function anotherDocument(state: TabState, go: () => Promise<unknown>): Promise<void> {
  const { documents, moves } = state;
  await state.guard(go());
  await state.until(
    () => state.moves > moves || (state.documents > documents && state.phase.kind === 'ready'),
    NAVIGATION_LIMIT_MS,
    tooSlow,
  );
}

function tooSlow(): BridgeError {
  return new BridgeError('handler_timeout', 'The page did not load in time. Look at the tab, or try again.');
}
