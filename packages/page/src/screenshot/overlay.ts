/** Something of ours over the page, in a closed shadow root: the page's styles and scripts do not reach it. */
export interface Overlay {
  readonly add: (box: OverlayBox) => void;
  /** Leaves the document as it was. */
  readonly remove: () => void;
}

export interface OverlayBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly style: Readonly<Record<string, string>>;
  readonly label?: { readonly text: string; readonly style: Readonly<Record<string, string>> };
}

/** `role` names it for whoever looks at the page with developer tools. */
export function createOverlay(document: Document, role: string): Overlay {
  const host = document.createElement('div');
  host.setAttribute('data-drawbridge', role);
  host.setAttribute('aria-hidden', 'true');
  paint(host, {
    all: 'initial',
    position: 'fixed',
    inset: '0',
    width: 'auto',
    height: 'auto',
    margin: '0',
    padding: '0',
    border: '0',
    background: 'transparent',
    overflow: 'visible',
    display: 'block',
    'pointer-events': 'none',
    'z-index': '2147483647',
  });
  const root = host.attachShadow({ mode: 'closed' });
  document.documentElement.append(host);
  toTopLayer(host);
  return {
    add(box) {
      const element = document.createElement('div');
      paint(element, {
        position: 'fixed',
        left: `${box.x}px`,
        top: `${box.y}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
        'box-sizing': 'border-box',
        ...box.style,
      });
      if (box.label !== undefined) {
        const label = document.createElement('span');
        label.textContent = box.label.text;
        paint(label, box.label.style);
        element.append(label);
      }
      root.append(element);
    },
    remove: () => host.remove(),
  };
}

/** An open dialog stands over every z-index; what is shown as a popover after it stands over the dialog. */
function toTopLayer(host: HTMLElement): void {
  if (typeof host.showPopover !== 'function') return;
  host.setAttribute('popover', 'manual');
  host.showPopover();
}

/** Through the CSSOM: a policy against inline styles does not reach it. `important`: the page's own rules might. */
export function paint(element: HTMLElement, style: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important');
}
