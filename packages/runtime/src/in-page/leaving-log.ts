import { pageClock } from '@drawbridge/page';

/** Whether the document is on its way out: known when the navigation starts, long before a new one comes. */
export interface LeavingLog {
  /** After what was just done has had its turn: where the page is going, if it is leaving. */
  readonly settled: () => Promise<{ readonly to: string | null }>;
  /** Before something is done: what went before is not its doing, and may have come to nothing. */
  readonly forget: () => void;
  readonly close: () => void;
}

/** https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-navigateevent-interface */
export function createLeavingLog(window: Window & typeof globalThis): LeavingLog {
  const navigation: unknown = Reflect.get(window, 'navigation');
  let to: string | null = null;
  const onNavigate = (event: Event) => {
    const destination: unknown = Reflect.get(event, 'destination');
    if (typeof destination !== 'object' || destination === null) return;
    const isDownload = Reflect.get(event, 'downloadRequest') !== null;
    if (Reflect.get(destination, 'sameDocument') === true || isDownload || event.defaultPrevented) return;
    // A page that intercepts it stays: it says so in its own listener, which runs after this one.
    queueMicrotask(() => {
      if (!event.defaultPrevented && !isIntercepted(navigation)) to = String(Reflect.get(destination, 'url'));
    });
  };
  const target = navigation instanceof window.EventTarget ? navigation : undefined;
  target?.addEventListener('navigate', onNavigate);
  return {
    async settled() {
      // A form's navigation begins in a task of its own.
      for (let task = 0; task < 2 && to === null; task++) {
        await new Promise<void>((resolve) => pageClock.setTimeout(resolve, 0));
      }
      return { to };
    },
    forget() {
      to = null;
    },
    close: () => target?.removeEventListener('navigate', onNavigate),
  };
}

/** While a page handles a navigation itself, there is a transition and the document stays. */
function isIntercepted(navigation: unknown): boolean {
  if (typeof navigation !== 'object' || navigation === null) return false;
  return (
    Reflect.get(navigation, 'transition') !== null && Reflect.get(navigation, 'transition') !== undefined
  );
}
