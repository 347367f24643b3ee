import { type OwnerFile, readOwnerFile, writeOwnerFile } from './owner-file.ts';
import type { Key, Register } from './register.ts';

/** Ways to reach a relay besides its address on this machine. */
type Reach = Pick<OwnerFile, 'outside_url' | 'fingerprint'>;

export type Owner = Awaited<ReturnType<typeof openOwner>>;

/**
 * Anyone who may write to the relay's folder owns the relay. A start replaces a lost file, or one whose
 * device was revoked, with another token.
 */
export async function openOwner(register: Register, dataFolder: string | undefined) {
  const owner = await (dataFolder === undefined ? firstOwner(register) : ownerOf(register, dataFolder));
  let outside: string | undefined;
  return {
    /** This machine's owner; undefined without a folder, unless this was the first start. */
    owner,
    /** Address for other machines, if there is one. */
    outsideUrl: (): string | undefined => outside,
    /** Writes the relay's address to the owner's file; undefined removes it. */
    async listening(url: string | undefined, reach?: Reach): Promise<void> {
      outside = reach?.outside_url;
      if (dataFolder === undefined || owner === undefined) return;
      await writeOwnerFile(dataFolder, url === undefined ? owner : { url, ...reach, ...owner });
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
  // Written before the ledger commit: a crash in between leaves a file that is not valid, instead of an owner
  // without a file.
  await writeOwnerFile(dataFolder, key);
  return issueOwner(register, key);
}

async function issueOwner({ issue }: Register, key: Key): Promise<Key> {
  const order = { roles: ['owner'], scopes: [], label: 'This machine', by: null } as const;
  await issue(order, 'first start', [], key);
  return key;
}
