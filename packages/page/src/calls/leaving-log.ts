import { pageClock } from '../watch/clock.ts';

/** Whether the document is being left: known at the start of a navigation, long before the next document. */
export type LeavingLog = ReturnType<typeof createLeavingLog>;

/** https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-navigateevent-interface */
export function createLeavingLog(window: Window & typeof globalThis) {
  const navigation: unknown = Reflect.get(window, 'navigation');
  let to: string | null = null;
  const onNavigate = (event: Event) => {
    const destination: unknown = Reflect.get(event, 'destination');
    if (typeof destination !== 'object' || destination === null) return;
    const isDownload = Reflect.get(event, 'downloadRequest') !== null;
    if (Reflect.get(destination, 'sameDocument') === true || isDownload || event.defaultPrevented) return;
    // A page may intercept it in its own listener, which runs after this one.
    queueMicrotask(() => {
      if (!event.defaultPrevented && !isIntercepted(navigation)) to = String(Reflect.get(destination, 'url'));
    });
  };
  const target = navigation instanceof window.EventTarget ? navigation : undefined;
  target?.addEventListener('navigate', onNavigate);
  return {
    /** Waits for pending tasks of the last action; returns the destination if the page is leaving. */
    async settled(): Promise<{ readonly to: string | null }> {
      // A form submission navigates in a later task.
      for (let task = 0; task < 2 && to === null; task++) {
        await new Promise<void>((resolve) => pageClock.setTimeout(resolve, 0));
      }
      return { to };
    },
    /** Call before an action: earlier navigations are not its effect, and may have been cancelled. */
    forget(): void {
      to = null;
    },
    close: () => target?.removeEventListener('navigate', onNavigate),
  };
}

/** While a page handles a navigation itself, a transition exists and the document stays. */
function isIntercepted(navigation: unknown): boolean {
  if (typeof navigation !== 'object' || navigation === null) return false;
  return (
    Reflect.get(navigation, 'transition') !== null && Reflect.get(navigation, 'transition') !== undefined
  );
}
