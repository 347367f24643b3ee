import { BridgeError } from '@drawbridge/protocol';
import type { Check } from '@drawbridge/protocol/manifest';
import { type CheckedMap, toolsNamedBy } from './assertion.ts';
import type { CheckResult } from './check-result.ts';

/** Whether a check covers a tool, for a composed map. */
export type SpeaksFor = (checkId: string, tool: string) => boolean;

const FOR_ALL: SpeaksFor = () => true;

/**
 * The error to answer when check results block a tool. A critical check with an `error` result blocks like a
 * failed one, because nothing shows that acting is safe.
 */
export function blockOf(
  tool: string,
  checks: readonly Check[],
  results: readonly CheckResult[],
  map: CheckedMap,
  speaksFor: SpeaksFor = FOR_ALL,
): BridgeError | undefined {
  const wrong = results.filter(
    ({ check_id, status }) => (status === 'fail' || status === 'error') && speaksFor(check_id, tool),
  );
  const unsafe = wrong.find(({ severity }) => severity === 'critical');
  if (unsafe !== undefined) return blocked('unsafe_state', tool, unsafe);
  const drifted = wrong.find(({ check_id, status, severity }) => {
    const check = checks.find(({ id }) => id === check_id);
    const names = check === undefined ? [] : toolsNamedBy(check, map);
    return status === 'fail' && severity === 'major' && names.includes(tool);
  });
  return drifted === undefined ? undefined : blocked('drift_detected', tool, drifted);
}

function blocked(code: 'unsafe_state' | 'drift_detected', tool: string, result: CheckResult): BridgeError {
  const { check_id, observed_at, url, evidence } = result;
  return new BridgeError(
    code,
    `${tool} does not run: the check ${check_id} did not pass. Have the page or the map looked at, then check again.`,
    { severity: result.severity, evidence: { tool, check_id, observed_at, url, ...evidence } },
  );
}
