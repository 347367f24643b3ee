import type { OpenPage } from './browser.ts';

type Page = OpenPage['page'];

/** Signs one request of a paired page with the key in the origin's IndexedDB. */
export function proofInPage(page: Page, method: string, path: string): Promise<string | undefined> {
  return page.evaluate(
    async (asked) => {
      const paired = await new Promise<{ name: string; key: CryptoKey } | undefined>((resolve, reject) => {
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
      if (paired === undefined) return undefined;
      const { name, key } = paired;
      const encode = (text: string) => new TextEncoder().encode(text);
      const base64url = (bytes: ArrayBuffer | Uint8Array) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const id = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const payload = base64url(encode(JSON.stringify({ name, ...asked, at: Date.now(), id })));
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, encode(payload));
      return `${payload}.${base64url(signature)}`;
    },
    { method, path },
  );
}

export interface PageAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  readonly body: any;
}

/** Sends a request with a proof, as the page does. A body that is no string is sent as JSON. */
export async function askInPage(
  page: Page,
  route: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const proof = await proofInPage(page, method, path);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return page.evaluate(
    async (asked) => {
      const response = await fetch(asked.path, {
        method: asked.method,
        headers: asked.headers,
        ...(asked.text !== undefined && { body: asked.text }),
      });
      const came = await response.text();
      try {
        return { status: response.status, body: JSON.parse(came) };
      } catch {
        return { status: response.status, body: came || null };
      }
    },
    {
      ...{ method, path, text },
      headers: {
        'content-type': 'application/json',
        ...(proof !== undefined && { 'drawbridge-proof': proof }),
        ...headers,
      },
    },
  );
}
