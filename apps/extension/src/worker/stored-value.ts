import { createMutex } from '@drawbridge/base';
/**
 * A value that outlives the worker, which Chrome may stop at any moment: in `local` permanently, in `session`
 * until the browser closes. Cached after the first read; changes are written at once, in order.
 */
export interface StoredValue<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => Promise<void>;
}

/** Otherwise Chrome lets our content scripts, and an attacker who takes one over, read the relay's token. */
export async function limitStorage(): Promise<void> {
  const { local, session, sync } = chrome.storage;
  const limit = { accessLevel: 'TRUSTED_CONTEXTS' } as const;
  await Promise.all([local, session, sync].map((area) => area.setAccessLevel(limit)));
}

export async function openStoredValue<Value>(
  area: 'local' | 'session',
  key: string,
  parse: (stored: unknown) => Value,
): Promise<StoredValue<Value>> {
  const storage = chrome.storage[area];
  let value = parse((await storage.get(key))[key]);
  const inOrder = createMutex();
  return {
    get: () => value,
    set(next) {
      value = next;
      return inOrder(() => storage.set({ [key]: next }));
    },
  };
}
