import { readOwnerFile, writeOwnerFile } from './owner-file.ts';
import type { Key, Register } from './register.ts';

interface Owner {
  readonly owner: Key | undefined;
  readonly listening: (url: string | undefined) => Promise<void>;
}

/**
 * Whoever may write to the relay's folder owns it. A file that is lost, or whose device was revoked, is made anew with
 * another token at the next start.
 */
export async function openOwner(register: Register, dataFolder: string | undefined): Promise<Owner> {
  const owner = await (dataFolder === undefined ? firstOwner(register) : ownerOf(register, dataFolder));
  return {
    owner,
    async listening(url) {
      if (dataFolder === undefined || owner === undefined) return;
      await writeOwnerFile(dataFolder, url === undefined ? owner : { url, ...owner });
    },
  };
}

async function firstOwner(register: Register): Promise<Key | undefined> {
  const all = await register.list();
  const hasOwner = all.some(({ roles, revoked_at }) => revoked_at === null && roles.includes('owner'));
  return hasOwner ? undefined : issueOwner(register, register.newKey());
}

async function ownerOf(register: Register, dataFolder: string): Promise<Key> {
  const found = await readOwnerFile(dataFolder);
  const identity = found === undefined ? undefined : await register.authenticate(found.token);
  if (found !== undefined && identity?.roles.includes('owner')) {
    return { device_id: identity.device_id, token: found.token };
  }
  const key = register.newKey();
  // Before the ledger knows it: a crash in between leaves a file that counts for nothing, not an owner without one.
  await writeOwnerFile(dataFolder, key);
  return issueOwner(register, key);
}

async function issueOwner({ issue }: Register, key: Key): Promise<Key> {
  const order = { roles: ['owner'], scopes: [], label: 'This machine', by: null } as const;
  await issue(order, 'first start', [], key);
  return key;
}
