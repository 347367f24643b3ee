import {
  type CheckEffect,
  type CheckResult,
  effectsOf,
  type PageProbe,
  runChecks,
} from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';

export interface ChecksOptions {
  readonly probe: PageProbe;
  readonly now: () => number;
  /** Stores the evidence that the check declares, from the current page. */
  readonly store: (result: CheckResult, names: readonly string[]) => void;
  /** Hands over to a person, once until the check passes again. */
  readonly askPerson: (checkId: string, message: string) => void;
  readonly onContingency?: (checkId: string, name: string) => void;
}

export function createChecks(options: ChecksOptions) {
  let results: readonly CheckResult[] = [];
  const failing = new Set<string>();

  const follow = (effect: CheckEffect, result: CheckResult): void => {
    if (effect.type === 'store_evidence') options.store(result, effect.names);
    else if (effect.type === 'prompt_person') options.askPerson(effect.check_id, effect.message);
    else options.onContingency?.(effect.check_id, effect.name);
  };

  return {
    results: (): readonly CheckResult[] => results,
    async run({
      checks = [],
      tools,
      states = [],
      signals = [],
      attachments = [],
    }: Manifest): Promise<readonly CheckResult[]> {
      if (checks.length === 0) {
        results = [];
        return results;
      }
      results = await runChecks(checks, { tools, states, signals, attachments }, options.probe, options.now);
      for (const result of results) {
        const check = checks.find(({ id }) => id === result.check_id);
        const fails = result.status === 'fail';
        if (check !== undefined && fails && !failing.has(check.id)) {
          for (const effect of effectsOf(check, result)) follow(effect, result);
        }
        if (fails) failing.add(result.check_id);
        else failing.delete(result.check_id);
      }
      return results;
    },
  };
}
