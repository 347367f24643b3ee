import type { CallRequest, RuntimeView } from '@drawbridge/bridge';
import { oneLine } from './answer/fence.ts';
import { textAt } from './loose-value.ts';
import type { Fields, ToolContext } from './tools/tool.ts';

const MOST_TABS = 20;

/** One tab per line: `id url "title"`. The url and title are page text. */
export function tabLines(tabs: readonly RuntimeView[]): string {
  const ids = shortIds(tabs);
  const lines = tabs.slice(0, MOST_TABS).map((tab) => `${ids.get(tab.runtime_id) ?? ''} ${tabWords(tab)}`);
  if (tabs.length > MOST_TABS) lines.push(`… ${tabs.length - MOST_TABS} more`);
  return lines.join('\n');
}

const UUID = /(?:^|-)([0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const SHORT_LETTERS = 4;

/** Short tab ids for an agent: a uuid costs 25 tokens, its beginning two. Whole where ambiguous. */
export function shortIds(tabs: readonly RuntimeView[]): ReadonlyMap<string, string> {
  const short = ({ runtime_id }: RuntimeView) => UUID.exec(runtime_id)?.[1]?.slice(0, SHORT_LETTERS);
  return new Map(
    tabs.map((tab) => {
      const id = short(tab);
      const isClear = id !== undefined && tabs.filter((other) => short(other) === id).length === 1;
      return [tab.runtime_id, isClear ? id : oneLine(tab.runtime_id)];
    }),
  );
}

/** The same after a navigation. */
export const keyOf = ({ ready, runtime_id }: RuntimeView): string => ready.runtime_key ?? runtime_id;

/** Marks lines about tabs in an answer. */
export const TABS_ORIGIN = 'tabs';
export const NEW_TAB = 'A new tab is open: name it in `tab` to act there.';
export const UNLENT_TAB =
  'A tab opened that is not lent to you. Ask the person to lend it, or go to its address with tabs navigate.';

/** Finds tabs that opened after the agent's last answer, for the next one. */
export function createTabNews() {
  let known: ReadonlySet<string> | undefined;
  return (tabs: readonly RuntimeView[]): readonly RuntimeView[] => {
    const before = known;
    known = new Set(tabs.map(keyOf));
    return before === undefined ? [] : tabs.filter((tab) => !before.has(keyOf(tab)));
  };
}

export const urlOf = ({ ready, status }: RuntimeView): string => status?.url ?? ready.url;

function tabWords(tab: RuntimeView): string {
  const { ready, liveness } = tab;
  const title = ready.title === undefined ? '' : ` ${JSON.stringify(oneLine(ready.title, 60))}`;
  return `${shortUrl(urlOf(tab))}${title}${liveness === 'quiet' ? ' (quiet)' : ''}`;
}

/** Without query and fragment, which are long and may hold a secret. */
export function shortUrl(url: string): string {
  // Chrome's own address of a page that did not load.
  if (url.startsWith('chrome-error:')) return '(the page could not be opened)';
  const parsed = URL.parse(url);
  if (parsed === null || parsed.origin === 'null') return oneLine(url, 80);
  return oneLine(`${parsed.origin}${parsed.pathname}`, 80);
}

/** The target of a call: a chosen runtime, or selectors for the bridge. */
export interface TabRoute {
  readonly selectors: Pick<
    CallRequest,
    'target_runtime_id' | 'target' | 'target_url_contains' | 'target_title_contains'
  >;
  readonly view?: RuntimeView;
}

/**
 * Resolves an agent's `tab`: a runtime id, or a part of a url or else of a title. A single match is pinned,
 * so that the steps of one call stay in one tab; otherwise the bridge reports the problem.
 */
export function routeTo(tab: string | undefined, views: readonly RuntimeView[]): TabRoute {
  if (tab === undefined || tab === '') {
    // Beside a page, an empty tab is never meant.
    const shown = views.length > 1 ? views.filter((view) => urlOf(view) !== 'about:blank') : views;
    return shown.length === 1 ? pinned(shown[0]) : { selectors: {} };
  }
  const ids = shortIds(views);
  const exact = views.find(({ runtime_id }) => runtime_id === tab || ids.get(runtime_id) === tab);
  if (exact !== undefined) return pinned(exact);
  const byUrl = views.filter((view) => urlOf(view).includes(tab));
  if (byUrl.length > 0)
    return byUrl.length === 1 ? pinned(byUrl[0]) : { selectors: { target_url_contains: tab } };
  const byTitle = views.filter(({ ready }) => ready.title?.includes(tab) === true);
  return byTitle.length === 1 ? pinned(byTitle[0]) : { selectors: { target_title_contains: tab } };
}

/** The route to the `tab` among a tool's arguments. */
export const tabRoute = (args: Fields, { tabs }: ToolContext): TabRoute =>
  routeTo(textAt(args, 'tab'), tabs());

/** By its key if it has one, which survives a navigation (BRG-35). */
function pinned(view: RuntimeView | undefined): TabRoute {
  if (view === undefined) return { selectors: {} };
  const { runtime_key } = view.ready;
  return runtime_key === undefined
    ? { selectors: { target_runtime_id: view.runtime_id }, view }
    : { selectors: { target: { runtime_key } }, view };
}

export function currentView(route: TabRoute, views: readonly RuntimeView[]): RuntimeView | undefined {
  const { view } = route;
  if (view === undefined) return undefined;
  const { runtime_key } = view.ready;
  const now = views.find(({ runtime_id, ready }) =>
    runtime_key === undefined ? runtime_id === view.runtime_id : ready.runtime_key === runtime_key,
  );
  return now ?? view;
}
