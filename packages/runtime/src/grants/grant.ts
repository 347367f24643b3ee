import type { EffectClass } from '@drawbridge/protocol';
import { primitiveByName } from '@drawbridge/protocol/primitives';
import { isOrdinary, ORDINARY_FORMS } from './form-grants.ts';

/** A person's permission, and where it ends. */
export interface Grant {
  /** Also the `authorization_id` that runtimes show: each approval has its own. */
  readonly grant_id: string;
  /** `*` for whatever a lent tab shows. */
  readonly origin: string;
  /** Only this tab; any tab when absent. */
  readonly runtime_key?: string;
  /** Only this agent's device; any when absent. */
  readonly device?: string;
  readonly covers: Coverage;
  /** Who gave it. */
  readonly by: string;
  readonly expires_at?: number;
}

/** One tool or primitive by name, up to a weight; or everything of a class. Neither stands for what weighs more. */
export type Coverage =
  | { readonly name: string; readonly effect: EffectClass }
  | { readonly effect: EffectClass };

const WEIGHT: Readonly<Record<EffectClass, number>> = { read: 0, act: 1, irreversible: 2 };

/** What is about to be done, as far as permission goes. */
export interface PermitRequest {
  readonly origin: string;
  readonly runtime_key: string;
  readonly device?: string;
  readonly name: string;
  readonly effect: EffectClass;
  /** Asks for sending this form: acting alone does not cover it. */
  readonly form?: string;
}

export function covers(grant: Grant, request: PermitRequest, now: number): boolean {
  if (grant.expires_at !== undefined && grant.expires_at <= now) return false;
  if (grant.runtime_key !== undefined && grant.runtime_key !== request.runtime_key) return false;
  if (grant.device !== undefined && grant.device !== request.device) return false;
  if (grant.origin !== '*' && grant.origin !== request.origin) return false;
  return 'name' in grant.covers
    ? namesOf(request).includes(grant.covers.name) && WEIGHT[request.effect] <= WEIGHT[grant.covers.effect]
    : grant.covers.effect === (request.form === undefined ? request.effect : 'irreversible');
}

/** A grant for a tool is for the forms that it sends; one for a primitive is not. */
function namesOf({ name, form }: PermitRequest): readonly string[] {
  if (form === undefined) return [name];
  return [
    ...(isOrdinary(form) ? [ORDINARY_FORMS] : []),
    form,
    ...(primitiveByName(name) === undefined ? [name] : []),
  ];
}
