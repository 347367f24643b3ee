import type { ShadowRootOf } from '../perceive/composed-tree.ts';
import { hiddenRootsIn } from '../watch/shadow-roots.ts';

export type ChangeWatch = ReturnType<typeof watchChanges>;

const CHANGES: MutationObserverInit = {
  childList: true,
  subtree: true,
  attributes: true,
  characterData: true,
};

/** Calls back once per burst of DOM changes, and after each change of the url. */
export function watchChanges(
  document: Document,
  shadowRootOf: ShadowRootOf,
  onChange: () => void,
  soon: (work: () => void) => void,
) {
  const view = document.defaultView;
  const navigation: unknown = view === null ? undefined : Reflect.get(view, 'navigation');
  const stop = new AbortController();
  let waiting = false;

  const changed = () => {
    if (waiting) return;
    waiting = true;
    soon(() => {
      waiting = false;
      if (stop.signal.aborted) return;
      follow();
      onChange();
    });
  };
  const observer = new MutationObserver(changed);
  /** Observing a root twice has no effect. */
  const follow = () => {
    for (const root of [document, ...hiddenRootsIn(document, shadowRootOf)]) observer.observe(root, CHANGES);
  };

  follow();
  const { signal } = stop;
  for (const name of ['popstate', 'hashchange']) view?.addEventListener(name, changed, { signal });
  if (navigation instanceof EventTarget)
    navigation.addEventListener('currententrychange', changed, { signal });
  return {
    /** Drops records of our own changes. */
    drain: () => observer.takeRecords(),
    close(): void {
      stop.abort();
      observer.disconnect();
    },
  };
}
