/** A navigation step, as far as the page itself can observe it. */
export interface NavigationStep {
  readonly to: string;
  readonly kind: 'document' | 'same_document' | 'download';
}

export type NavigationLog = ReturnType<typeof watchNavigation>;

/** The part of https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-navigateevent-interface in use. */
interface NavigateEventLike {
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly downloadRequest: string | null;
  readonly defaultPrevented: boolean;
}

/** Records a navigation as it begins, because a page that leaves takes this code with it. */
export function watchNavigation(document: Document, onActivity: () => void) {
  const view = document.defaultView;
  const steps: NavigationStep[] = [];
  const add = (step: NavigationStep) => {
    steps.push(step);
    onActivity();
  };
  const onNavigate = (event: Event) => {
    if (!isNavigate(event)) return;
    const { destination, downloadRequest } = event;
    if (downloadRequest !== null) add({ to: destination.url, kind: 'download' });
    else add({ to: destination.url, kind: destination.sameDocument ? 'same_document' : 'document' });
  };
  const onLeave = () => {
    if (steps.at(-1)?.kind !== 'document') add({ to: '', kind: 'document' });
  };
  const navigation: unknown = view === null ? undefined : Reflect.get(view, 'navigation');
  const target = navigation instanceof EventTarget ? navigation : undefined;
  target?.addEventListener('navigate', onNavigate);
  view?.addEventListener('pagehide', onLeave);

  return {
    mark: (): number => steps.length,
    since: (mark: number): readonly NavigationStep[] => steps.slice(mark),
    close(): void {
      target?.removeEventListener('navigate', onNavigate);
      view?.removeEventListener('pagehide', onLeave);
    },
  };
}

function isNavigate(event: Event): event is Event & NavigateEventLike {
  return 'destination' in event && 'downloadRequest' in event;
}
