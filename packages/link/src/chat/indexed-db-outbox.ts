import { type OutboxStore, parseSends } from './outbox-store.ts';

const STORE = 'unanswered';

/**
 * For pages, extension pages and service workers. Contexts of one origin with the same name share it, and
 * each id is sent once. Include relay and device in the name: otherwise one device would send another's
 * messages.
 */
export function indexedDbOutbox(name: string): OutboxStore {
  let opened: Promise<IDBDatabase> | undefined;

  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(name, () => {
      opened = undefined;
    });
    return opened;
  };

  const run = async <Value>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value> => {
    const database = await open();
    // Chromium answers before it has flushed without this hint:
    // https://www.w3.org/TR/IndexedDB/#transaction-durability-hint
    const transaction = database.transaction(STORE, mode, { durability: 'strict' });
    const request = act(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  };

  return {
    load: async () => parseSends(await run('readonly', (store) => store.getAll())),
    put: async (message) => {
      await run('readwrite', (store) => store.put(message));
    },
    remove: async (id) => {
      await run('readwrite', (store) => store.delete(id));
    },
  };
}

function openDatabase(name: string, lost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: 'client_message_id' });
    };
    request.onerror = () => {
      lost();
      reject(request.error);
    };
    request.onsuccess = () => {
      const database = request.result;
      // The browser closes it when a person clears site data; the next call opens it again.
      database.onclose = lost;
      database.onversionchange = () => {
        database.close();
        lost();
      };
      resolve(database);
    };
  });
}
