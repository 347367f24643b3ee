import { PageError } from '@drawbridge/page';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';

export interface Overlays {
  readonly open: (args: InputOf<'overlay.open'>) => OutputOf<'overlay.open'>;
  readonly close: (args: InputOf<'overlay.close'>) => OutputOf<'overlay.close'>;
  readonly removeAll: () => void;
}

const WIDTH = 720;
const HEIGHT = 560;
const MARGIN_PX = 16;

/** Windows over the page, in closed shadow roots, with their HTML in a fully sandboxed frame. */
export function createOverlays(document: Document): Overlays {
  const shown = new Map<string, Element>();
  let made = 0;
  const remove = (id: string): boolean => {
    shown.get(id)?.remove();
    return shown.delete(id);
  };

  return {
    open({ html, title = '', width = WIDTH, height = HEIGHT }) {
      made++;
      const overlay_id = `overlay-${made}`;
      const host = document.createElement('div');
      host.setAttribute('data-drawbridge', 'overlay');
      const root = host.attachShadow({ mode: 'closed' });
      const box = styled(document.createElement('div'), {
        position: 'fixed',
        right: `${MARGIN_PX}px`,
        top: `${MARGIN_PX}px`,
        width: `min(${width}px, calc(100vw - ${2 * MARGIN_PX}px))`,
        height: `min(${height}px, calc(100vh - ${2 * MARGIN_PX}px))`,
        display: 'flex',
        'flex-direction': 'column',
        background: '#ffffff',
        color: '#111111',
        border: '1px solid #888888',
        'box-shadow': '0 8px 32px rgba(0, 0, 0, 0.3)',
        'z-index': '2147483646',
        font: '14px/1.4 system-ui, sans-serif',
      });
      box.append(
        titleBar(document, title, () => remove(overlay_id)),
        frameOf(document, html, title),
      );
      root.append(box);
      document.documentElement.append(host);
      shown.set(overlay_id, host);
      return { opened: true, overlay_id, width, height };
    },
    close({ overlay_id }) {
      const ids = overlay_id === undefined ? [...shown.keys()] : [overlay_id];
      return { closed: ids.filter(remove).length };
    },
    removeAll() {
      for (const id of [...shown.keys()]) remove(id);
    },
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

function styled<Styled extends HTMLElement>(
  element: Styled,
  style: Readonly<Record<string, string>>,
): Styled {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
  return element;
}
