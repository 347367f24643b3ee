import type { EffectClass } from '@drawbridge/protocol';
import { covers, type Grant, type PermitRequest } from './grant.ts';

/** Grants of one person's browser. The owner passes stored grants in and subscribes to changes. */
export interface GrantBook {
  readonly list: () => readonly Grant[];
  readonly find: (request: PermitRequest) => Grant | undefined;
  readonly add: (grant: Omit<Grant, 'grant_id'>) => Grant;
  /** Lends a tab for reading and acting, whatever page it shows. Each loan has its own grant id. */
  readonly lend: (runtimeKey: string, by: string, effects?: readonly EffectClass[]) => string;
  readonly revoke: (grantId: string) => boolean;
  readonly revokeAll: () => void;
  readonly onChange: (listener: (grants: readonly Grant[]) => void) => () => void;
}

export interface GrantBookOptions {
  readonly now: () => number;
  readonly newId: () => string;
  readonly grants?: readonly Grant[];
}

export function createGrantBook({ now, newId, grants: stored = [] }: GrantBookOptions): GrantBook {
  let grants: readonly Grant[] = [...stored];
  const listeners = new Set<(grants: readonly Grant[]) => void>();
  const change = (next: readonly Grant[]) => {
    grants = next;
    for (const listener of listeners) listener(grants);
  };
  const isAlive = ({ expires_at }: Grant) => expires_at === undefined || expires_at > now();

  return {
    list: () => grants.filter(isAlive),
    find: (request) => grants.find((grant) => covers(grant, request, now())),
    add(fields) {
      const grant: Grant = { ...fields, grant_id: newId() };
      change([...grants.filter(isAlive), grant]);
      return grant;
    },
    lend(runtimeKey, by, effects = ['read', 'act']) {
      const grant_id = newId();
      const lent = effects.map(
        (effect): Grant => ({ grant_id, origin: '*', runtime_key: runtimeKey, covers: { effect }, by }),
      );
      // Lending again revokes the earlier approval and its id.
      change([...grants.filter(({ runtime_key }) => runtime_key !== runtimeKey), ...lent]);
      return grant_id;
    },
    revoke(grantId) {
      const revoked = grants.filter(({ grant_id }) => grant_id === grantId);
      // Grants given within a lent tab end with the loan.
      const tabs = revoked.filter(isLoan).map(({ runtime_key }) => runtime_key);
      const left = grants.filter(
        ({ grant_id, runtime_key }) =>
          grant_id !== grantId && !(runtime_key !== undefined && tabs.includes(runtime_key)),
      );
      const found = left.length < grants.length;
      if (found) change(left);
      return found;
    },
    revokeAll: () => change([]),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const isLoan = ({ origin, runtime_key }: Grant): boolean => origin === '*' && runtime_key !== undefined;
