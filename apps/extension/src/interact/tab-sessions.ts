import { createMutex } from '@drawbridge/base';
import { isObject } from '@drawbridge/protocol/manifest';
import type { StoredValues } from './stored-values.ts';

/** Session of each tab (INT-151), kept across navigations. A reused tab id gets a new session (INT-153). */
export type TabSessions = ReturnType<typeof createTabSessions>;

const KEY = 'tab_sessions';

export function createTabSessions(storage: StoredValues) {
  /** Concurrent read-modify-writes of one key would lose one. */
  const turn = createMutex();
  const all = async (): Promise<Record<number, string>> => parseSessions(await storage.get(KEY));
  const use = (tabId: number, sessionId: string | null): Promise<void> =>
    turn(async () => {
      const { [tabId]: had, ...others } = await all();
      if (had === (sessionId ?? undefined)) return;
      await storage.set(KEY, sessionId === null ? others : { ...others, [tabId]: sessionId });
    });
  return {
    of: (tabId: number): Promise<string | undefined> => turn(async () => (await all())[tabId]),
    /** Null: a new session with the next task. */
    use,
    closed: (tabId: number): Promise<void> => use(tabId, null),
    all: (): Promise<Readonly<Record<number, string>>> => turn(all),
    /** Called when paired with another server or as another device. */
    clear: (): Promise<void> => turn(() => storage.remove(KEY)),
  };
}

const parseSessions = (stored: unknown): Record<number, string> =>
  Object.fromEntries(
    Object.entries(isObject(stored) ? stored : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
