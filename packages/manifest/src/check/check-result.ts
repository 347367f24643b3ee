import type { Severity, StructuredError } from '@drawbridge/protocol';
import { BridgeError } from '@drawbridge/protocol';
import type { Check } from '@drawbridge/protocol/manifest';
import type { Verdict } from './verdict.ts';

export type CheckStatus = 'pass' | 'fail' | 'skipped' | 'error';

/** Result of one check, with the contract's field names. */
export interface CheckResult {
  readonly check_id: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
  readonly observed_at: string;
  readonly url: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly error?: StructuredError;
}

/** MAN-83: a check without a severity is major. */
const DEFAULT_SEVERITY: Severity = 'major';

export function checkResult(
  check: Check,
  verdicts: readonly Verdict[],
  moment: { readonly url: string; readonly now: number },
): CheckResult {
  const severity = check.severity ?? DEFAULT_SEVERITY;
  const status = statusOf(verdicts);
  const error = errorOf(check, status, severity, verdicts);
  return {
    check_id: check.id,
    status,
    severity,
    observed_at: new Date(moment.now).toISOString(),
    url: moment.url,
    evidence: { assertions: verdicts.map(({ evidence }) => evidence) },
    ...(error === undefined ? {} : { error: error.toJSON() }),
  };
}

/** A failure outweighs an error, and a check without any verdict is skipped, not passed. */
function statusOf(verdicts: readonly Verdict[]): CheckStatus {
  const said = new Set(verdicts.map(({ status }) => status));
  if (said.has('fail')) return 'fail';
  if (said.has('error')) return 'error';
  return said.has('pass') ? 'pass' : 'skipped';
}

function errorOf(
  check: Check,
  status: CheckStatus,
  severity: Severity,
  verdicts: readonly Verdict[],
): BridgeError | undefined {
  if (status === 'pass' || status === 'skipped') return undefined;
  const wrong = verdicts.filter((verdict) => verdict.status === status);
  const words = wrong.map(({ reason }) => reason).join('; ');
  const evidence = { check_id: check.id, failed: wrong.map((verdict) => verdict.evidence) };
  if (status === 'error') {
    return new BridgeError('handler_failed', `The check ${check.id} could not be made: ${words}.`, {
      severity,
      evidence,
    });
  }
  const code = severity === 'critical' ? 'unsafe_state' : 'drift_detected';
  return new BridgeError(code, `The check ${check.id} failed: ${words}. The map may need repair.`, {
    severity,
    evidence,
  });
}
