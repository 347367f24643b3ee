/** Port of page code; pages and other extensions cannot open it. */
export const PAGE_PORT = 'drawbridge-page';

/** Page code → worker. */
export type PageMessage =
  | { readonly kind: 'notice'; readonly notice: object }
  /** A cross-origin frame sent the worker's token: this document holds it. */
  | { readonly kind: 'holds'; readonly token: string };

export interface PagePort {
  /** Opens it unless open. A stopped worker loses it. */
  readonly open: () => void;
  /** Dropped while the worker is stopped. */
  readonly send: (message: PageMessage) => void;
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
  // Chrome closes the port of a document that enters the back-forward cache.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) open();
  };
  window.addEventListener('pageshow', onShow);
  return {
    open,
    send: (message) => port?.postMessage(message),
    close() {
      window.removeEventListener('pageshow', onShow);
      port?.disconnect();
      port = undefined;
    },
  };
}
