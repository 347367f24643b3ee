import type { Session } from '@drawbridge/protocol';
import type { Entry } from '@drawbridge/ui/model';
import type { AppState } from '../state/app-state.ts';
import type { Conversation } from '../state/conversation.ts';
import type { PreferenceStore } from '../state/preferences.ts';
import { MOST_SESSIONS, type Remembered, tailOf } from '../state/remembered.ts';
import type { Store } from '../state/store.ts';

/** `list` has the sessions and their time; `tails` the last entries by session. */
const TABLES = ['list', 'tails'];
const LATEST = 'latest';
/** Throttles writes. */
const EVERY_MS = 2_000;

const nameOf = (device_id: string): string => `drawbridge-memory-${device_id}`;

function open(device_id: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(nameOf(device_id), 1);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function read(database: IDBDatabase): Promise<Remembered | undefined> {
  const transaction = database.transaction(TABLES);
  const tails = transaction.objectStore('tails');
  const [list, ids, texts] = await Promise.all([
    answerOf(transaction.objectStore('list').get(LATEST)),
    answerOf(tails.getAllKeys()),
    answerOf(tails.getAll()),
  ]);
  return parseRemembered(list, new Map(ids.map((id, at) => [String(id), texts[at]])));
}

/** Written by this module only. */
function parseRemembered(list: unknown, tails: ReadonlyMap<string, unknown>): Remembered | undefined {
  if (list === undefined) return undefined;
  const { at, sessions } = list as { readonly at: number; readonly sessions: readonly Session[] };
  return { at, sessions, tails: tails as ReadonlyMap<string, readonly Entry[]> };
}

/**
 * Shows the stored state until the relay sends its own, and stores the current one. Private windows store
 * nothing. Returns how to end it.
 */
export function keepMemory(device_id: string, store: Store): () => void {
  let database: IDBDatabase | undefined;
  let isOver = false;
  let saved: Pick<AppState, 'sessions' | 'talks'> | undefined;
  /** Undefined: from an earlier visit. */
  const tailsThere = new Map<string, Conversation | undefined>();

  const write = ({ sessions, talks }: AppState, to: IDBDatabase): void => {
    const transaction = to.transaction(TABLES, 'readwrite');
    const tails = transaction.objectStore('tails');
    const listed = [...sessions.values()].slice(-MOST_SESSIONS);
    transaction.objectStore('list').put({ at: Date.now(), sessions: listed }, LATEST);
    for (const session_id of tailsThere.keys()) {
      if (sessions.has(session_id)) continue;
      tails.delete(session_id);
      tailsThere.delete(session_id);
    }
    for (const { session_id } of listed) {
      const conversation = talks.get(session_id);
      if (
        conversation === undefined ||
        conversation === tailsThere.get(session_id) ||
        conversation.asOf !== undefined
      )
        continue;
      tails.put(tailOf(conversation), session_id);
      tailsThere.set(session_id, conversation);
    }
  };
  const save = (): void => {
    const state = store.get();
    if (database === undefined || !state.isListed) return;
    if (state.sessions === saved?.sessions && state.talks === saved.talks) return;
    saved = state;
    try {
      write(state, database);
    } catch {
      // The device was forgotten, or the site's data cleared.
      database = undefined;
    }
  };
  const start = async (): Promise<void> => {
    const opened = await open(device_id);
    if (isOver) return opened.close();
    database = opened;
    const remembered = await read(opened);
    for (const id of remembered?.tails.keys() ?? []) tailsThere.set(id, undefined);
    if (remembered !== undefined && !isOver) store.put({ type: 'recalled', remembered });
  };
  start().catch(() => {});
  const timer = setInterval(save, EVERY_MS);
  const onHidden = (): void => {
    if (document.visibilityState === 'hidden') save();
  };
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    isOver = true;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHidden);
    database?.close();
  };
}

/** Deletes everything that this browser stored for a device that was signed out or revoked. */
export function forgetDevice(device_id: string, preferences: PreferenceStore): void {
  for (const name of [nameOf(device_id), `drawbridge-outbox-${device_id}`]) indexedDB.deleteDatabase(name);
  preferences.set({ drafts: {}, names: {}, read: {} });
}
