import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { Identity, Role } from '../../src/core/ports.ts';
import { type BrowserKey, parseBrowserKey } from '../../src/devices/browser-key.ts';
import type { Devices } from '../../src/devices/devices.ts';

/** A browser's key, held by a test. */
export interface Signer {
  readonly key: BrowserKey;
  readonly proof: (
    method: string,
    path: string,
    more?: { readonly name?: string; readonly at?: number; readonly id?: string },
  ) => string;
}

/** `now`: the relay's time. */
export function newSigner(now: () => number = Date.now): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    key: parseBrowserKey(publicKey.export({ format: 'jwk' })),
    proof(method, path, { name, at = now(), id = randomUUID() } = {}) {
      const payload = Buffer.from(JSON.stringify({ name, method, path, at, id })).toString('base64url');
      const signature = sign('sha256', Buffer.from(payload), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${payload}.${signature.toString('base64url')}`;
    },
  };
}

/** A paired browser, which signs with its name. */
export interface PairedBrowser extends Signer {
  readonly name: string;
  readonly identity: Identity;
}

export const named = (signer: Signer, name: string, identity: Identity): PairedBrowser => ({
  ...signer,
  proof: (method, path, more) => signer.proof(method, path, { name, ...more }),
  name,
  identity,
});

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
  return named(signer, token, known.identity);
}
