import type { Check } from '@drawbridge/protocol/manifest';
import type { CheckResult } from './check-result.ts';

/** The host's reactions to a failed check. */
export type CheckEffect =
  | { readonly type: 'store_evidence'; readonly check_id: string; readonly names: readonly string[] }
  | { readonly type: 'prompt_person'; readonly check_id: string; readonly message: string }
  | { readonly type: 'contingency'; readonly check_id: string; readonly name: string };

const HANDOFF = 'handoff_to_user';

export function effectsOf(check: Check, result: CheckResult): CheckEffect[] {
  if (result.status !== 'fail') return [];
  const { store_evidence = [], contingency } = check.on_fail ?? {};
  const effects: CheckEffect[] = [];
  if (store_evidence.length > 0) {
    effects.push({ type: 'store_evidence', check_id: check.id, names: store_evidence });
  }
  if (contingency === HANDOFF) {
    const message = result.error?.message ?? `The check ${check.id} failed.`;
    effects.push({ type: 'prompt_person', check_id: check.id, message });
  } else if (contingency !== undefined) {
    effects.push({ type: 'contingency', check_id: check.id, name: contingency });
  }
  return effects;
}
