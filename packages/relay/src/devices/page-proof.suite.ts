import type { openPage } from '@drawbridge/testbed';

type Page = Awaited<ReturnType<typeof openPage>>['page'];

/** One request of a paired page: its script signs with the key in the origin's IndexedDB. */
export function proofInPage(page: Page, method: string, path: string): Promise<string | undefined> {
  return page.evaluate(
    async (asked) => {
      const key = await new Promise<CryptoKey | undefined>((resolve, reject) => {
        const opening = indexedDB.open('drawbridge-browser-key', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const request = opening.result.transaction('keys').objectStore('keys').get('current');
          request.onsuccess = () => {
            opening.result.close();
            resolve(request.result);
          };
        };
      });
      if (key === undefined) return undefined;
      const encode = (text: string) => new TextEncoder().encode(text);
      const base64url = (bytes: ArrayBuffer | Uint8Array) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const id = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const payload = base64url(encode(JSON.stringify({ ...asked, at: Date.now(), id })));
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, encode(payload));
      return `${payload}.${base64url(signature)}`;
    },
    { method, path },
  );
}
