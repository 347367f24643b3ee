/** A paired browser: its name at the relay and its non-extractable private key. */
interface Paired {
  readonly name: string;
  readonly key: CryptoKey;
}

/**
 * A key for the next pairing. The previous one stays in use until this one is stored under the relay's name
 * for it. Until then a reloaded page gets the same key, so that it can repeat the pairing.
 */
export interface NewKey {
  readonly publicKey: JsonWebKey;
  readonly keep: (name: string) => Promise<void>;
}

export type BrowserKeys = ReturnType<typeof openBrowserKeys>;

/**
 * The browser's credential, one per origin. No cookies: they ignore ports, so other servers of the same name
 * could read, shadow and evict them. The relay's plain page embeds the source of this function, so it uses
 * nothing from outside.
 */
export function openBrowserKeys() {
  const [store, current, next] = ['keys', 'current', 'next'];
  const signature = { name: 'ECDSA', hash: 'SHA-256' };
  /** Fallback until the page closes, where the browser stores nothing (some private windows). */
  let inMemory: Paired | undefined;
  /** The relay's time minus ours. */
  let skewMs = 0;

  const run = <Value>(
    mode: IDBTransactionMode,
    act: (keys: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value> =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open('drawbridge-browser-key', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(store);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const database = opening.result;
        const transaction = database.transaction(store, mode);
        const request = act(transaction.objectStore(store));
        transaction.oncomplete = () => {
          database.close();
          resolve(request.result);
        };
        transaction.onabort = () => reject(transaction.error);
      };
    });

  const parsePaired = (stored: unknown): Paired | undefined => {
    if (typeof stored !== 'object' || stored === null || !('name' in stored && 'key' in stored)) {
      return undefined;
    }
    const { name, key } = stored;
    return typeof name === 'string' && key instanceof CryptoKey ? { name, key } : undefined;
  };

  const parseNext = (stored: unknown): CryptoKeyPair | undefined => {
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { privateKey, publicKey } = stored as Partial<CryptoKeyPair>;
    const isPair = privateKey instanceof CryptoKey && publicKey instanceof CryptoKey;
    return isPair ? { privateKey, publicKey } : undefined;
  };

  const paired = async (): Promise<Paired | undefined> =>
    inMemory ?? parsePaired(await run('readonly', (keys) => keys.get(current)).catch(() => undefined));

  const base64url = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');

  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

  const proofFor = async (method: string, path: string): Promise<string | undefined> => {
    const { name, key } = (await paired()) ?? {};
    if (key === undefined) return undefined;
    const { pathname, search } = new URL(path, location.origin);
    // `crypto.randomUUID` is missing on a page without TLS.
    const id = base64url(crypto.getRandomValues(new Uint8Array(16)));
    const asked = { name, method, path: pathname + search, at: Date.now() + skewMs, id };
    const payload = base64url(encode(JSON.stringify(asked)));
    return `${payload}.${base64url(await crypto.subtle.sign(signature, key, encode(payload)))}`;
  };

  /** True when the relay sent its time: the local clock is wrong, and a new proof will work. */
  const hasLearnedTime = ({ headers }: Response): boolean => {
    const time = Number(headers.get('drawbridge-time') ?? Number.NaN);
    if (Number.isFinite(time)) skewMs = time - Date.now();
    return Number.isFinite(time);
  };

  return {
    /** Proof of possession for one request. Undefined before pairing. */
    proofFor,

    async newKey(): Promise<NewKey> {
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
      const stored = await run('readonly', (keys) => keys.get(next)).catch(() => undefined);
      const known = parseNext(stored);
      const pair = known ?? (await crypto.subtle.generateKey(algorithm, false, ['sign']));
      if (known === undefined) await run('readwrite', (keys) => keys.put(pair, next)).catch(() => {});
      const { privateKey, publicKey } = pair;
      return {
        publicKey: await crypto.subtle.exportKey('jwk', publicKey),
        async keep(name) {
          const made = { name, key: privateKey };
          inMemory = undefined;
          await run('readwrite', (keys) => {
            keys.delete(next);
            return keys.put(made, current);
          }).catch(() => {
            inMemory = made;
          });
        },
      };
    },

    /** `fetch` with a proof. */
    async provenFetch(path: string, init: RequestInit = {}): Promise<Response> {
      const send = async (): Promise<Response> => {
        const headers = new Headers(init.headers);
        const proof = await proofFor(init.method ?? 'GET', path);
        if (proof !== undefined) headers.set('drawbridge-proof', proof);
        return fetch(path, { ...init, headers });
      };
      const response = await send();
      return response.status === 401 && hasLearnedTime(response) ? send() : response;
    },
  };
}
