/** The port of page code, beside which a page or another extension has none. */
export const PAGE_PORT = 'drawbridge-page';

/** Page code → worker. */
export type PageMessage =
  | { readonly kind: 'notice'; readonly notice: object }
  /** A frame of another origin has said the token that the worker gave it: this document holds it. */
  | { readonly kind: 'holds'; readonly token: string };

export interface PagePort {
  /** Opens it unless it is open. A worker that was stopped has lost it. */
  readonly open: () => void;
  /** Nothing is kept for a worker that is away. */
  readonly tell: (message: PageMessage) => void;
  readonly close: () => void;
}

export function createPagePort(window: Window): PagePort {
  let port: chrome.runtime.Port | undefined;
  const open = () => {
    if (port !== undefined) return;
    const opened = chrome.runtime.connect({ name: PAGE_PORT });
    opened.onDisconnect.addListener(() => {
      if (port === opened) port = undefined;
    });
    port = opened;
  };
  // Chrome closes the port of a document that goes into the back-forward cache.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) open();
  };
  window.addEventListener('pageshow', onShow);
  return {
    open,
    tell: (message) => port?.postMessage(message),
    close() {
      window.removeEventListener('pageshow', onShow);
      port?.disconnect();
      port = undefined;
    },
  };
}
