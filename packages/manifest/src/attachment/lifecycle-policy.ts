import type { Attachment } from '@drawbridge/protocol/manifest';

/** Every supported policy value. */
export const LIFECYCLE_POLICIES = {
  install: ['when_target_matches'],
  remove: ['when_context_mismatch', 'never'],
  reattach: ['on_url_or_dom_change', 'never'],
  drift: ['report', 'remove', 'keep', 'handoff_to_user'],
} as const;

type Policies = typeof LIFECYCLE_POLICIES;
type PolicyName = keyof Policies;

export interface Lifecycle {
  readonly install: Policies['install'][number];
  readonly remove: Policies['remove'][number];
  readonly reattach: Policies['reattach'][number];
  /** Absent: a lost target has no effect beyond `remove`. */
  readonly drift?: Policies['drift'][number];
}

export type LifecycleReading =
  | { readonly ok: true; readonly lifecycle: Lifecycle }
  | { readonly ok: false; readonly warnings: readonly string[] };

export function readLifecycle({ id, lifecycle }: Attachment): LifecycleReading {
  const install = read('install', lifecycle, 'when_target_matches');
  const remove = read('remove', lifecycle, 'when_context_mismatch');
  const reattach = read('reattach', lifecycle, 'never');
  const drift = read('drift', lifecycle, undefined);
  if (install.known && remove.known && reattach.known && drift.known) {
    return {
      ok: true,
      lifecycle: {
        install: install.value ?? 'when_target_matches',
        remove: remove.value ?? 'when_context_mismatch',
        reattach: reattach.value ?? 'never',
        ...(drift.value === undefined ? {} : { drift: drift.value }),
      },
    };
  }
  const warnings = [install, remove, reattach, drift].flatMap((one) => (one.known ? [] : one.warning));
  return { ok: false, warnings: warnings.map((warning) => `${id} is not installed: ${warning}.`) };
}

type PolicyReading<Value> =
  | { readonly known: true; readonly value: Value | undefined }
  | { readonly known: false; readonly warning: string };

function read<Name extends PolicyName>(
  name: Name,
  lifecycle: Attachment['lifecycle'],
  absent: Policies[Name][number] | undefined,
): PolicyReading<Policies[Name][number]> {
  const written = lifecycle[name];
  if (written === undefined) return { known: true, value: absent };
  const values: readonly Policies[Name][number][] = LIFECYCLE_POLICIES[name];
  const value = values.find((one) => one === written);
  if (value !== undefined) return { known: true, value };
  return {
    known: false,
    warning: `lifecycle.${name} is ${JSON.stringify(written)}, not ${values.join(' or ')}`,
  };
}
