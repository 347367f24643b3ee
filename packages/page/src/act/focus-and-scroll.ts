import { lineOf } from '../perceive/composed-tree.ts';
import { isFocusable } from './pointer.ts';

/** Records focus and scroll positions around an element; returns a function that restores them. */
export function keepFocusAndScroll(element: Element): () => void {
  const putBack: (() => void)[] = [];
  for (let inner: Element | null | undefined = element; inner; ) {
    const document: Document = inner.ownerDocument;
    const { activeElement } = document;
    for (const outer of lineOf(inner)) {
      const { scrollTop: top, scrollLeft: left } = outer;
      putBack.push(() => outer.scrollTo({ top, left, behavior: 'instant' }));
    }
    putBack.push(() => {
      if (activeElement && document.activeElement !== activeElement && isFocusable(activeElement))
        activeElement.focus({ preventScroll: true });
    });
    inner = document.defaultView?.frameElement;
  }
  return () => {
    for (const each of putBack) each();
  };
}
