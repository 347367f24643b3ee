import type { ShadowRootOf } from '../perceive/composed-tree.ts';
import { hiddenRootsIn } from '../watch/shadow-roots.ts';

export interface ChangeWatch {
  /** Forgets changes that were our own. */
  readonly drain: () => void;
  readonly close: () => void;
}

const CHANGES: MutationObserverInit = {
  childList: true,
  subtree: true,
  attributes: true,
  characterData: true,
};

/** Calls back once after each burst of changes to the DOM, and after each change of the url. */
export function watchChanges(
  document: Document,
  shadowRootOf: ShadowRootOf,
  onChange: () => void,
  soon: (work: () => void) => void,
): ChangeWatch {
  const view = document.defaultView;
  const navigation: unknown = view === null ? undefined : Reflect.get(view, 'navigation');
  const urlEvents = ['popstate', 'hashchange'] as const;
  let waiting = false;
  let closed = false;

  const changed = () => {
    if (waiting || closed) return;
    waiting = true;
    soon(() => {
      waiting = false;
      if (closed) return;
      follow();
      onChange();
    });
  };
  const observer = new MutationObserver(changed);
  /** Observing a root twice changes nothing. */
  const follow = () => {
    for (const root of [document, ...hiddenRootsIn(document, shadowRootOf)]) observer.observe(root, CHANGES);
  };

  follow();
  for (const name of urlEvents) view?.addEventListener(name, changed);
  if (navigation instanceof EventTarget) navigation.addEventListener('currententrychange', changed);
  return {
    drain: () => observer.takeRecords(),
    close() {
      closed = true;
      observer.disconnect();
      for (const name of urlEvents) view?.removeEventListener(name, changed);
      if (navigation instanceof EventTarget) navigation.removeEventListener('currententrychange', changed);
    },
  };
}
