import { styleOf } from '../perceive/walk-cache.ts';

export interface Origin {
  readonly left: number;
  readonly top: number;
}

/** Where an element's document begins, in the coordinates of the page that a host presses in and takes pictures of. */
export function originOf(element: Element, page: Document): Origin {
  let left = 0;
  let top = 0;
  for (let inner = element.ownerDocument; inner !== page; ) {
    const frame = inner.defaultView?.frameElement;
    if (frame == null) break;
    const box = frame.getBoundingClientRect();
    const style = styleOf(frame);
    left += box.left + frame.clientLeft + Number.parseFloat(style.paddingLeft);
    top += box.top + frame.clientTop + Number.parseFloat(style.paddingTop);
    inner = frame.ownerDocument;
  }
  return { left, top };
}
