import { useSyncExternalStore } from 'react';

export type Route =
  | { readonly screen: 'sessions'; readonly session_id: string | undefined }
  | { readonly screen: (typeof SCREENS)[number] };

const SCREENS = ['tasks', 'tabs', 'devices', 'audit', 'settings'] as const;
const SESSION = /^\/s\/([^/]+)$/;

/** Unknown paths show the list. */
export function parseRoute(path: string): Route {
  const session = SESSION.exec(path)?.[1];
  if (session !== undefined) return { screen: 'sessions', session_id: decoded(session) };
  const screen = SCREENS.find((name) => path === `/${name}`);
  return screen === undefined ? { screen: 'sessions', session_id: undefined } : { screen };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const sessionPath = (session_id: string): string => `/s/${encodeURIComponent(session_id)}`;

const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

export function navigate(path: string): void {
  if (path === location.pathname) return;
  history.pushState(null, '', path);
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname);
