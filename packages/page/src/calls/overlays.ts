import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';

export type Overlays = ReturnType<typeof createOverlays>;

type Style = Readonly<Record<string, string>>;

interface Shown {
  readonly host: Element;
  readonly box: HTMLElement;
  readonly frame: HTMLElement;
  readonly height: string;
}

const WIDTH = 720;
const HEIGHT = 560;
const MARGIN_PX = 16;

/** Windows over the page, in closed shadow roots, with their HTML in a fully sandboxed frame. */
export function createOverlays(document: Document) {
  const shown = new Map<string, Shown>();
  let made = 0;
  const remove = (id: string): boolean => {
    shown.get(id)?.host.remove();
    return shown.delete(id);
  };

  return {
    open({
      html,
      title = '',
      width = WIDTH,
      height = HEIGHT,
    }: InputOf<'overlay.open'>): OutputOf<'overlay.open'> {
      made++;
      const overlay_id = `overlay-${made}`;
      const host = document.createElement('div');
      host.setAttribute('data-drawbridge', 'overlay');
      const root = host.attachShadow({ mode: 'closed' });
      const boxHeight = `min(${height}px, calc(100vh - ${2 * MARGIN_PX}px))`;
      const box = styled(document.createElement('div'), {
        position: 'fixed',
        right: `${MARGIN_PX}px`,
        top: `${MARGIN_PX}px`,
        width: `min(${width}px, calc(100vw - ${2 * MARGIN_PX}px))`,
        height: boxHeight,
        display: 'flex',
        'flex-direction': 'column',
        background: '#ffffff',
        color: '#111111',
        border: '1px solid #888888',
        'box-shadow': '0 8px 32px rgba(0, 0, 0, 0.3)',
        'z-index': '2147483646',
        font: '14px/1.4 system-ui, sans-serif',
      });
      const frame = frameOf(document, html, title);
      box.append(
        titleBar(document, title, () => remove(overlay_id)),
        frame,
      );
      root.append(box);
      document.documentElement.append(host);
      shown.set(overlay_id, { host, box, frame, height: boxHeight });
      return { opened: true, overlay_id, width, height };
    },
    close({ overlay_id }: InputOf<'overlay.close'>): OutputOf<'overlay.close'> {
      const ids = overlay_id === undefined ? [...shown.keys()] : [overlay_id];
      return { closed: ids.filter(remove).length };
    },
    /** Styles the windows of all overlays. */
    style(style: Style): { overlays: number } {
      for (const { box } of shown.values()) styled(box, style);
      return { overlays: shown.size };
    },
    /** Reduces all overlays to their title bars, or undoes that. */
    collapse(isCollapsed: boolean): { overlays: number } {
      for (const { box, frame, height } of shown.values()) {
        styled(frame, { display: isCollapsed ? 'none' : 'block' });
        styled(box, { height: isCollapsed ? 'auto' : height });
      }
      return { overlays: shown.size };
    },
    removeAll(): void {
      for (const id of [...shown.keys()]) remove(id);
    },
  };
}

/** The style of a place in the window: a corner, or the top left corner at a point. */
export function placeOf({ corner = 'top-right', x, y }: InputOf<'overlay.menu.move'>): Style {
  const margin = `${MARGIN_PX}px`;
  const [vertical, horizontal] = corner.split('-');
  const inCorner = {
    top: vertical === 'top' ? margin : 'auto',
    bottom: vertical === 'top' ? 'auto' : margin,
    left: horizontal === 'left' ? margin : 'auto',
    right: horizontal === 'left' ? 'auto' : margin,
  };
  return {
    ...inCorner,
    ...(x !== undefined && { left: `${x}px`, right: 'auto' }),
    ...(y !== undefined && { top: `${y}px`, bottom: 'auto' }),
  };
}

function titleBar(document: Document, title: string, close: () => void): HTMLElement {
  const bar = styled(document.createElement('div'), {
    display: 'flex',
    'justify-content': 'space-between',
    'align-items': 'center',
    padding: '8px 12px',
    'border-bottom': '1px solid #cccccc',
  });
  const name = document.createElement('strong');
  name.textContent = title;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '×';
  button.setAttribute('aria-label', 'Close');
  button.addEventListener('click', close);
  bar.append(name, button);
  return bar;
}

/** Blocks all loading: a frame or image from the person's network would otherwise reach the agent. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:">`;

/** An empty `sandbox` forbids scripts, forms, navigation and origin. */
function frameOf(document: Document, html: string, title: string): HTMLIFrameElement {
  const frame = styled(document.createElement('iframe'), { flex: '1', border: '0', width: '100%' });
  frame.setAttribute('sandbox', '');
  frame.title = title;
  try {
    frame.srcdoc = POLICY + html;
  } catch {
    // https://w3c.github.io/trusted-types/: such a page refuses markup from scripts.
    const message = 'This page takes no HTML from scripts. Show it in the side panel instead.';
    throw new PageError('capability_unavailable', message, {
      reason: 'page_forbids_html',
      capability: 'overlay.open',
    });
  }
  return frame;
}

function styled<Styled extends HTMLElement>(element: Styled, style: Style): Styled {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
  return element;
}
