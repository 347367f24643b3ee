import type { Me } from './api.ts';

const KEY = 'drawbridge-device';

/** This device's identity, for offline use. The credential itself is a key that no script can export. */
export function rememberedMe(): Me | undefined {
  try {
    return parseMe(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return undefined;
  }
}

export function rememberMe(me: Me | undefined): void {
  try {
    if (me === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(me));
  } catch {
    // Private browsing: nothing is stored.
  }
}

function parseMe(stored: unknown): Me | undefined {
  const isMe = typeof stored === 'object' && stored !== null && 'device_id' in stored && 'roles' in stored;
  return isMe ? (stored as Me) : undefined;
}
