import { insideOrigin } from '../perceive/visibility.ts';

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
    const begins = insideOrigin(frame);
    left += begins.left;
    top += begins.top;
    inner = frame.ownerDocument;
  }
  return { left, top };
}
