import type { EffectClass } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { isOrdinary, ORDINARY_FORMS } from './form-grants.ts';

/** A person's permission and its limits. */
export interface Grant {
  /** Also the `authorization_id` that runtimes report; unique for each approval. */
  readonly grant_id: string;
  /** `*` for any page in a lent tab. */
  readonly origin: string;
  /** Only this tab; any tab when absent. */
  readonly runtime_key?: string;
  /** Only this agent's device; any when absent. */
  readonly device?: string;
  readonly covers: Coverage;
  /** The person or device that gave it. */
  readonly by: string;
  readonly expires_at?: number;
}

/** One tool or primitive by name up to an effect class, or everything of a class. Neither covers a higher class. */
export type Coverage =
  | { readonly name: string; readonly effect: EffectClass }
  | { readonly effect: EffectClass };

export const CLASS_RANK: Readonly<Record<EffectClass, number>> = { read: 0, act: 1, irreversible: 2 };

/** The facts of a call that decide its permission. */
export interface PermitRequest {
  readonly origin: string;
  readonly runtime_key: string;
  readonly device?: string;
  readonly name: string;
  readonly effect: EffectClass;
  /** Set when the call would send this form, which acting alone does not cover. */
  readonly form?: string;
}

/** Grants of one person's browser. The owner passes stored grants in and subscribes to changes. */
export interface GrantBook {
  readonly list: () => readonly Grant[];
  readonly find: (request: PermitRequest) => Grant | undefined;
  readonly add: (grant: Omit<Grant, 'grant_id'>) => Grant;
  /** Lends a tab for reading and acting, whatever page it shows. Each loan has its own grant id. */
  readonly lend: (runtimeKey: string, by: string, effects?: readonly EffectClass[]) => string;
  /** Gives a lent tab back the classes of its loan, after they were revoked; grants that it has stay. */
  readonly renew: (runtimeKey: string, by: string) => void;
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
  /** Loans with other classes than usual. Only those are stored: a browser lends any number of tabs in a year. */
  const unusual = new Map<string, readonly EffectClass[]>();
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
    lend(runtimeKey, by, effects = LOAN) {
      const grant_id = newId();
      if (effects === LOAN) unusual.delete(runtimeKey);
      else unusual.set(runtimeKey, effects);
      const lent = loanOf(runtimeKey, effects, by, grant_id);
      // Lending again revokes the earlier approval and its id.
      change([...grants.filter(({ runtime_key }) => runtime_key !== runtimeKey), ...lent]);
      return grant_id;
    },
    renew(runtimeKey, by) {
      const has = (effect: EffectClass) =>
        grants.some(
          (grant) => isLoan(grant) && grant.runtime_key === runtimeKey && grant.covers.effect === effect,
        );
      const missing = (unusual.get(runtimeKey) ?? LOAN).filter((effect) => !has(effect));
      const grant_id = newId();
      if (missing.length > 0) change([...grants, ...loanOf(runtimeKey, missing, by, grant_id)]);
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

const LOAN: readonly EffectClass[] = ['read', 'act'];

const loanOf = (
  runtime_key: string,
  effects: readonly EffectClass[],
  by: string,
  grant_id: string,
): Grant[] => effects.map((effect) => ({ grant_id, origin: '*', runtime_key, covers: { effect }, by }));

const isLoan = ({ origin, runtime_key }: Grant): boolean => origin === '*' && runtime_key !== undefined;

function covers(grant: Grant, request: PermitRequest, now: number): boolean {
  if (grant.expires_at !== undefined && grant.expires_at <= now) return false;
  if (grant.runtime_key !== undefined && grant.runtime_key !== request.runtime_key) return false;
  if (grant.device !== undefined && grant.device !== request.device) return false;
  if (grant.origin !== '*' && grant.origin !== request.origin) return false;
  return 'name' in grant.covers
    ? namesOf(request).includes(grant.covers.name) &&
        CLASS_RANK[request.effect] <= CLASS_RANK[grant.covers.effect]
    : grant.covers.effect === (request.form === undefined ? request.effect : 'irreversible');
}

/** Grants for developer tools and forms have these names. A tool may have such a name too, and no part in the grant. */
export const isReservedName = (name: string): boolean =>
  /^(?:inspect|form\.(?:submit|weighty))(?:[\s:]|$)/.test(name);

/** A grant for a tool covers the forms that it sends; one for a primitive does not. */
function namesOf({ name, form }: PermitRequest): readonly string[] {
  const own = isReservedName(name) ? [] : [name];
  if (form === undefined) return own;
  return [
    ...(isOrdinary(form) ? [ORDINARY_FORMS] : []),
    form,
    ...(primitiveByName(name) === undefined ? own : []),
  ];
}
