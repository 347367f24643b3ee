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

export function covers(grant: Grant, request: PermitRequest, now: number): boolean {
  if (grant.expires_at !== undefined && grant.expires_at <= now) return false;
  if (grant.runtime_key !== undefined && grant.runtime_key !== request.runtime_key) return false;
  if (grant.device !== undefined && grant.device !== request.device) return false;
  if (grant.origin !== '*' && grant.origin !== request.origin) return false;
  return 'name' in grant.covers
    ? namesOf(request).includes(grant.covers.name) &&
        CLASS_RANK[request.effect] <= CLASS_RANK[grant.covers.effect]
    : grant.covers.effect === (request.form === undefined ? request.effect : 'irreversible');
}

/** A grant for a tool covers the forms that it sends; one for a primitive does not. */
function namesOf({ name, form }: PermitRequest): readonly string[] {
  if (form === undefined) return [name];
  return [
    ...(isOrdinary(form) ? [ORDINARY_FORMS] : []),
    form,
    ...(primitiveByName(name) === undefined ? [name] : []),
  ];
}
