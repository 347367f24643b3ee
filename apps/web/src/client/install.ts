import { useSyncExternalStore } from 'react';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent: not in the types, and not in every browser. */
type Offer = Event & { readonly prompt: () => Promise<unknown> };

let offer: Offer | undefined;
const listeners = new Set<() => void>();

function put(next: Offer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

const isOffer = (event: Event): event is Offer => 'prompt' in event;

/** Registered at start: browsers offer it once, long before a settings screen is opened. */
export function onInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (isOffer(event)) put(event);
  });
  addEventListener('appinstalled', () => put(undefined));
}

/** Undefined where the app is installed or the browser cannot install it. */
export function useInstall(): (() => void) | undefined {
  const offered = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offer,
  );
  if (offered === undefined) return undefined;
  return () => {
    // An offer is valid once, whatever the person chooses.
    put(undefined);
    offered.prompt().catch(() => {});
  };
}
