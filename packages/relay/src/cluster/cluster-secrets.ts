import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { type Json, type Ledger, LedgerError } from '@drawbridge/ledger';
import type { PrivateFiles } from '../devices/private-file.ts';
import { newSecret } from '../devices/secret.ts';
import type { Leadership } from './leader-lease.ts';

const SECRET = 'cluster_secret';
const LOOK_AGAIN_MS = 100;

export interface SecretPorts {
  readonly ledger: Pick<Ledger, 'setting'> & { readonly fenced: (term: number) => Pick<Ledger, 'commit'> };
  readonly leadership: () => Leadership;
}

/** The secret that the nodes of a ledger share. The first leader creates it; the others wait for it. */
export async function openClusterSecret({ ledger, leadership }: SecretPorts): Promise<string> {
  for (;;) {
    const stored = await ledger.setting(SECRET);
    if (typeof stored === 'string') return stored;
    const now = leadership();
    if (now.kind === 'ours') {
      const secret = newSecret(randomBytes);
      const isFirst = await ledger
        .fenced(now.term)
        .commit([{ do: 'put_setting', key: SECRET, value: secret }])
        .then(() => true, isFenced);
      if (isFirst) return secret;
    }
    await passed(LOOK_AGAIN_MS);
  }
}

/** False for a fenced commit: another node became the leader, and creates the secret. */
function isFenced(error: unknown): false {
  if (error instanceof LedgerError && error.code === 'ledger_fenced') return false;
  throw error;
}

/**
 * Stores in the ledger what a single relay keeps in its folder, so that model and notification keys are the
 * same on every node.
 */
export function ledgerSecrets(ledger: Pick<Ledger, 'setting' | 'commit'>): PrivateFiles {
  const keyOf = (name: string) => `private.${name}`;
  const put = async (name: string, value: Json): Promise<void> => {
    await ledger.commit([{ do: 'put_setting', key: keyOf(name), value }]);
  };
  return {
    async read(name) {
      const text = await ledger.setting(keyOf(name));
      return typeof text === 'string' ? text : undefined;
    },
    write: (name, content) => put(name, JSON.stringify(content)),
    remove: (name) => put(name, null),
  };
}
