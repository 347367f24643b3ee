import { insideOrigin } from '../perceive/visibility.ts';

export interface Origin {
  readonly left: number;
  readonly top: number;
}

/** Origin of an element's document in the coordinates in which a host presses and takes screenshots. */
export function originOf(element: Element, page: Document): Origin {
  let left = 0;
  let top = 0;
  for (let inner = element.ownerDocument; inner !== page; ) {
    const frame = inner.defaultView?.frameElement;
    if (frame == null) break;
    const begins = insideOrigin(frame);
    left += begins.left;
    top += begins.top;
    inner = frame.ownerDocument;
  }
  return { left, top };
}
