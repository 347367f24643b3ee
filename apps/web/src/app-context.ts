import { createContext, use, useSyncExternalStore } from 'react';
import type { Api, Me } from './client/api.ts';
import type { Client } from './client/client.ts';
import type { DemoWatch } from './client/demo-watch.ts';
import type { AppState } from './state/app-state.ts';
import type { PreferenceStore, Preferences } from './state/preferences.ts';
import type { Store } from './state/store.ts';

export interface App {
  readonly store: Store;
  readonly client: Client;
  readonly preferences: PreferenceStore;
  readonly api: Api;
  readonly me: Me;
  readonly demo: DemoWatch;
  /** Called when this device is no longer paired. */
  readonly onSignedOut: () => void;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = use(AppContext);
  if (app === undefined) throw new Error('useApp needs an AppContext around it.');
  return app;
}

/** `pick` must return an existing part of the state: a new object would render forever. */
export function useAppState<Part>(pick: (state: AppState) => Part): Part {
  const { store } = useApp();
  return useSyncExternalStore(store.subscribe, () => pick(store.get()));
}

export function usePreferences(): Preferences {
  const { preferences } = useApp();
  return useSyncExternalStore(preferences.subscribe, preferences.get);
}

export const isOwner = ({ roles }: Me): boolean => roles.includes('owner');
export const isAtHome = ({ scopes }: Me): boolean => scopes.length === 0;
