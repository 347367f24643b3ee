import { newId } from './new-id.ts';

/** The same as in the relay's own page: one origin, one key. */
const DATABASE = 'drawbridge-browser-key';
const STORE = 'keys';
const CURRENT = 'current';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };

/** Where the browser stores none (some private windows), until the page is closed. */
let inMemory: CryptoKey | undefined;
/** The relay's time less our own. */
let skewMs = 0;

function run<Value>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });
}

async function currentKey(): Promise<CryptoKey | undefined> {
  if (inMemory !== undefined) return inMemory;
  const stored: unknown = await run('readonly', (store) => store.get(CURRENT)).catch(() => undefined);
  return stored instanceof CryptoKey ? stored : undefined;
}

/** A key for the next pairing. It counts once it is kept: until then the one before stays in use. */
export interface NewKey {
  readonly publicKey: JsonWebKey;
  readonly keep: () => Promise<void>;
}

/** The private half cannot be exported, by no script of this origin either. */
export async function newBrowserKey(): Promise<NewKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign']);
  return {
    publicKey: await crypto.subtle.exportKey('jwk', publicKey),
    async keep() {
      inMemory = undefined;
      await run('readwrite', (store) => store.put(privateKey, CURRENT)).catch(() => {
        inMemory = privateKey;
      });
    },
  };
}

const base64url = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Proof that this browser asks, for one request. Undefined before it is paired. */
export async function proofFor(method: string, path: string): Promise<string | undefined> {
  const key = await currentKey();
  if (key === undefined) return undefined;
  const { pathname, search } = new URL(path, location.origin);
  const asked = { method, path: pathname + search, at: Date.now() + skewMs, id: newId() };
  const payload = base64url(encode(JSON.stringify(asked)));
  return `${payload}.${base64url(await crypto.subtle.sign(SIGNATURE, key, encode(payload)))}`;
}

/** True when the relay has told its time: the clock here is wrong, and a new proof will do. */
function hasLearnedTime({ headers }: Response): boolean {
  const time = Number(headers.get('drawbridge-time') ?? Number.NaN);
  if (Number.isFinite(time)) skewMs = time - Date.now();
  return Number.isFinite(time);
}

/** `fetch`, with a proof. */
export async function provenFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const send = async (): Promise<Response> => {
    const headers = new Headers(init.headers);
    const proof = await proofFor(init.method ?? 'GET', path);
    if (proof !== undefined) headers.set('drawbridge-proof', proof);
    return fetch(path, { ...init, headers });
  };
  const response = await send();
  return response.status === 401 && hasLearnedTime(response) ? send() : response;
}
