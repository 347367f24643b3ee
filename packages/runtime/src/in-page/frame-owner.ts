/**
 * What page code does with the element that holds a frame of another origin. Each function stands alone: a host with a
 * debugger sends its text into the page and calls it on the element.
 */

/** Where a frame's document begins in the page that holds it, and how much of it is shown there. */
export interface FramePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** How many of the holder's pixels one of the frame's takes: a transform makes it another than 1. */
  readonly scale: { readonly x: number; readonly y: number };
  /** Something else is where the asked point is. */
  readonly covered: boolean;
}

/** Up through frames of one origin, to where page code has its own coordinates. */
export function placeOfFrame(this: HTMLElement, x?: number, y?: number): FramePlace {
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
 * Scrolls the point, or the middle, into view. The browser finds out which process is under the mouse from
 * what it painted last, so a press right after a scroll would miss: two frames later it does not.
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
