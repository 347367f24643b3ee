import type { CallRequest, RuntimeView } from '@drawbridge/bridge';
import { shortIds, urlOf } from '../answer/tab-lines.ts';

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
  if (tab === undefined || tab === '') return views.length === 1 ? pinned(views[0]) : { selectors: {} };
  const ids = shortIds(views);
  const exact = views.find(({ runtime_id }) => runtime_id === tab || ids.get(runtime_id) === tab);
  if (exact !== undefined) return pinned(exact);
  const byUrl = views.filter((view) => urlOf(view).includes(tab));
  if (byUrl.length > 0)
    return byUrl.length === 1 ? pinned(byUrl[0]) : { selectors: { target_url_contains: tab } };
  const byTitle = views.filter(({ ready }) => ready.title?.includes(tab) === true);
  return byTitle.length === 1 ? pinned(byTitle[0]) : { selectors: { target_title_contains: tab } };
}

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
