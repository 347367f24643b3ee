export interface OverlayBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly style: string;
  readonly label?: { readonly text: string; readonly style: string };
}

/**
 * An overlay over the page in a closed shadow root, out of reach of the page's styles and scripts. `role` names it in
 * developer tools.
 */
export function createOverlay(document: Document, role: string) {
  let host: HTMLElement | undefined;
  const remove = () => host?.remove();
  return {
    /** Replaces the shown boxes; returns their number. */
    show(boxes: readonly OverlayBox[]): number {
      remove();
      if (boxes.length > 0) {
        host = document.createElement('div');
        host.setAttribute('data-drawbridge', role);
        host.setAttribute('aria-hidden', 'true');
        paint(
          host,
          'all:initial; position:fixed; inset:0; display:block; pointer-events:none; z-index:2147483647',
        );
        host.attachShadow({ mode: 'closed' }).append(...boxes.map((box) => drawn(box, document)));
        document.documentElement.append(host);
        toTopLayer(host);
      }
      return boxes.length;
    },
    /** Restores the document. */
    remove,
  };
}

function drawn({ x, y, width, height, style, label }: OverlayBox, document: Document): HTMLElement {
  const element = document.createElement('div');
  paint(
    element,
    `position:fixed; left:${x}px; top:${y}px; width:${width}px; height:${height}px; box-sizing:border-box; ${style}`,
  );
  if (label !== undefined) {
    const tag = document.createElement('span');
    tag.textContent = label.text;
    paint(tag, label.style);
    element.append(tag);
  }
  return element;
}

/** An open dialog covers every z-index; a popover opened after it covers the dialog. */
function toTopLayer(host: HTMLElement): void {
  if (typeof host.showPopover !== 'function') return;
  host.setAttribute('popover', 'manual');
  host.showPopover();
}

/** Uses the CSSOM, which a policy against inline styles does not block. `important` overrides the page's rules. */
export function paint(element: HTMLElement, style: string): void {
  element.style.cssText = style.replace(/;|$/g, '!important;');
}
