import type { Channel } from 'pusher-js';
import { appOf, connectClient, joined } from '../pusher/pusher-harness.ts';
import type { TestRelay } from '../server/test-relay.ts';

/** The extension's own Origin, and the headers that it sends with every call. */
export const EXTENSION_ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

export interface ExtensionAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the relay answered; tests look into it.
  readonly body: any;
}

export interface PublicExtension {
  readonly send: (method: string, path: string, body?: unknown) => Promise<ExtensionAnswer>;
  readonly signIn: (email: string, password: string) => Promise<ExtensionAnswer>;
  readonly subscribe: (session_id: string) => Promise<Channel>;
}

/**
 * Sends the calls of the public extension: a preflight, `Content-Type` on GET too, a bearer token after the
 * sign-in, no cookies. Everything but 204 must be JSON.
 */
export function publicExtension(relay: Pick<TestRelay, 'url' | 'port'>, key: string): PublicExtension {
  let token: string | undefined;
  const send: PublicExtension['send'] = async (method, path, body) => {
    const url = `${relay.url}${path}`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: EXTENSION_ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    const isAllowed =
      preflight.status === 204 &&
      preflight.headers.get('access-control-allow-origin') === EXTENSION_ORIGIN &&
      ['authorization', 'content-type'].every((name) => allowed.includes(name)) &&
      (preflight.headers.get('access-control-allow-methods') ?? '').includes(method);
    if (!isAllowed) throw new Error(`A browser would block ${method} ${path}.`);
    const response = await fetch(url, {
      method,
      headers: {
        origin: EXTENSION_ORIGIN,
        // A form sets its own, with its boundary.
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    if (response.headers.get('access-control-allow-origin') !== EXTENSION_ORIGIN) {
      throw new Error(`A browser would not show the answer to ${method} ${path}.`);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: response.status === 204 ? undefined : JSON.parse(text),
    };
  };
  return {
    send,
    async signIn(email, password) {
      const answer = await send('POST', '/api/v1/auth/login', { email, password });
      if (answer.status === 200) token = answer.body.accessToken;
      return answer;
    },
    subscribe: (session_id) =>
      joined(connectClient(relay, key, { token: token ?? '' }), `private-session-${session_id}`),
  };
}

/** A pairing link's code, as an owner makes it. */
export async function pairingCode(
  relay: TestRelay,
  roles: readonly string[] = ['person'],
  scopes: readonly string[] = [],
): Promise<string> {
  const owner = await relay.mint('owner');
  const answer = await fetch(`${relay.url}/api/pair/invite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ roles, scopes, label: 'Public extension' }),
  });
  return (await answer.json()).secret;
}

export async function extensionOf(relay: TestRelay): Promise<PublicExtension> {
  return publicExtension(relay, (await appOf(relay)).key);
}
