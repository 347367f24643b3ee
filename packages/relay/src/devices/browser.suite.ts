import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Identity, Role } from '../core/ports.ts';
import { type BrowserKey, parseBrowserKey } from './browser-key.ts';
import type { Devices } from './devices.ts';

/** The key of a browser, held by a test. */
export interface Signer {
  readonly key: BrowserKey;
  readonly proof: (
    method: string,
    path: string,
    more?: { readonly at?: number; readonly id?: string },
  ) => string;
}

/** `now`: the relay's time. */
export function newSigner(now: () => number = Date.now): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    key: parseBrowserKey(publicKey.export({ format: 'jwk' })),
    proof(method, path, { at = now(), id = randomUUID() } = {}) {
      const payload = Buffer.from(JSON.stringify({ method, path, at, id })).toString('base64url');
      const signature = sign('sha256', Buffer.from(payload), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${payload}.${signature.toString('base64url')}`;
    },
  };
}

/** A paired browser: the value of its cookie, and its key. */
export interface PairedBrowser extends Signer {
  readonly name: string;
  readonly identity: Identity;
}

export async function pairBrowser(
  { invitations, browser }: Pick<Devices, 'invitations' | 'browser'>,
  roles: readonly Role[],
  now?: () => number,
): Promise<PairedBrowser> {
  const signer = newSigner(now);
  const order = { roles, scopes: [], label: roles.join('+'), by: 'machine' } as const;
  const { secret } = await invitations.create(order);
  const { token } = await invitations.claim(secret, undefined, { key: signer.key });
  const known = await browser(token);
  if (known === undefined) throw new Error('a browser that was just paired is unknown');
  return { ...signer, name: token, identity: known.identity };
}
