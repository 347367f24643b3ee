/**
 * Functions on the owner element of a cross-origin frame. Each is self-contained: a host with a debugger
 * sends its source into the page and calls it on the element.
 */

/** Where a frame's document begins in the holder's page, and how much of it is visible. */
export interface FramePosition {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Holder pixels per frame pixel; differs from 1 under a transform. */
  readonly scale: { readonly x: number; readonly y: number };
  /** Another element covers the requested point. */
  readonly covered: boolean;
}

/** Walks up through same-origin frames to the coordinates of page code. */
export function positionOfFrame(this: HTMLElement, x?: number, y?: number): FramePosition {
  const inner = (element: HTMLElement) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const [padLeft, padTop] = [parseFloat(style.paddingLeft) || 0, parseFloat(style.paddingTop) || 0];
    const scale = { x: box.width / element.offsetWidth || 1, y: box.height / element.offsetHeight || 1 };
    return {
      scale,
      left: box.left + (element.clientLeft + padLeft) * scale.x,
      top: box.top + (element.clientTop + padTop) * scale.y,
      width: (element.clientWidth - padLeft - (parseFloat(style.paddingRight) || 0)) * scale.x,
      height: (element.clientHeight - padTop - (parseFloat(style.paddingBottom) || 0)) * scale.y,
    };
  };
  const isBox = (element: Element): element is HTMLElement => 'offsetWidth' in element;
  let { left, top, width, height, scale } = inner(this);
  const root = this.getRootNode();
  const hit =
    'elementFromPoint' in root && typeof root.elementFromPoint === 'function'
      ? root.elementFromPoint(
          left + (x === undefined ? width / 2 : x * scale.x),
          top + (y === undefined ? height / 2 : y * scale.y),
        )
      : null;
  const covered = hit !== null && hit !== this;
  let holder = this.ownerDocument.defaultView?.frameElement ?? null;
  while (holder !== null && isBox(holder)) {
    const outer = inner(holder);
    left = outer.left + left * outer.scale.x;
    top = outer.top + top * outer.scale.y;
    width *= outer.scale.x;
    height *= outer.scale.y;
    scale = { x: scale.x * outer.scale.x, y: scale.y * outer.scale.y };
    holder = holder.ownerDocument.defaultView?.frameElement ?? null;
  }
  return { left, top, width, height, scale, covered };
}

/**
 * Scrolls the point, or the middle, into view. The browser finds the process under the mouse from its last
 * paint, so a press right after a scroll would miss: waits two frames.
 */
export async function showFrame(this: HTMLElement, x?: number, y?: number): Promise<void> {
  const view = this.ownerDocument.defaultView;
  if (view === null) return;
  const isShown = () => {
    const box = this.getBoundingClientRect();
    const scale = { x: box.width / this.offsetWidth || 1, y: box.height / this.offsetHeight || 1 };
    const left = box.left + (x === undefined ? box.width / 2 : x * scale.x);
    const top = box.top + (y === undefined ? box.height / 2 : y * scale.y);
    return { left, top, ok: left >= 0 && top >= 0 && left <= view.innerWidth && top <= view.innerHeight };
  };
  if (isShown().ok) return;
  this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { ok, left, top } = isShown();
  if (!ok)
    view.scrollBy({
      left: left - view.innerWidth / 2,
      top: top - view.innerHeight / 2,
      behavior: 'instant',
    });
  await new Promise<void>((resolve) => {
    view.requestAnimationFrame(() => view.requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 200);
  });
}
