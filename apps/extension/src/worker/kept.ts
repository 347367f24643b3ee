/**
 * What must outlive the worker, which Chrome stops whenever it likes: in `local` for good, in `session` until the browser
 * is closed. Read once, then kept here too; each change is written at once, in order.
 */
export interface Kept<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => Promise<void>;
}

/** Without it Chrome lets every content script of ours read the relay's token, and whoever breaks into one with it. */
export async function limitStorage(): Promise<void> {
  const { local, session, sync } = chrome.storage;
  const limit = { accessLevel: 'TRUSTED_CONTEXTS' } as const;
  await Promise.all([local, session, sync].map((area) => area.setAccessLevel(limit)));
}

export async function openKept<Value>(
  area: 'local' | 'session',
  key: string,
  parse: (stored: unknown) => Value,
): Promise<Kept<Value>> {
  const storage = chrome.storage[area];
  let value = parse((await storage.get(key))[key]);
  let writing: Promise<void> = Promise.resolve();
  return {
    get: () => value,
    set(next) {
      value = next;
      writing = writing.catch(() => undefined).then(() => storage.set({ [key]: next }));
      return writing;
    },
  };
}
