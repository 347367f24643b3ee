import type { Check } from '@drawbridge/protocol/manifest';
import type { PageProbe } from '../host.ts';
import { currentStates, diagnose } from '../state/diagnosis.ts';
import { type CheckedMap, claimsOf } from './assertion.ts';
import { type CheckResult, checkResult } from './check-result.ts';
import { judge } from './verdict.ts';

/** Runs each check on the live page. A probe that fails gives an `error` result and stops no other check. */
export async function runChecks(
  checks: readonly Check[],
  map: CheckedMap,
  probe: PageProbe,
  now: () => number,
): Promise<CheckResult[]> {
  const claims = checks.map((check) => (check.assertions ?? []).flatMap((one) => claimsOf(one, map)));
  const asked = claims.flat().flatMap((claim) => {
    if (claim.kind === 'state') return [claim.state];
    return claim.kind === 'target' && claim.target.state !== undefined ? [claim.target.state] : [];
  });
  const url = await probe.url();
  const place = { url, states: currentStates(await diagnose(map.states, asked, probe)) };
  return Promise.all(
    checks.map(async (check, index) => {
      const verdicts = (claims[index] ?? []).map((claim) => judge(claim, place, probe));
      return checkResult(check, await Promise.all(verdicts), { url, now: now() });
    }),
  );
}
