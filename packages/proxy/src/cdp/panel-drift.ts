import { type CheckResult, type Found, type PageProbe, runChecks } from '@drawbridge/manifest';
import { BridgeError, type SessionHealth } from '@drawbridge/protocol';
import { type Check, isObject, type Manifest } from '@drawbridge/protocol/manifest';
import { driftReport, driftText, type SurfaceHost } from '@drawbridge/runtime';

/** A part of a map that no longer fits its panel. */
export interface Drift {
  readonly status: Extract<SessionHealth, 'agent_ui_changed' | 'scraping_failed' | 'degraded'>;
  /** Name of the failed check, tool or projection. */
  readonly check: string;
  readonly message: string;
}

const GRAVE: ReadonlySet<string> = new Set(['major', 'critical']);

/** The most severe failing check (CHT-115). */
export async function failedCheck(map: Manifest, host: SurfaceHost): Promise<Drift | undefined> {
  const { tools, states = [], signals = [], attachments = [], checks = [] } = map;
  const results = await runChecks(checks, { tools, states, signals, attachments }, probeOf(host), Date.now);
  const failed = results.filter(({ status }) => status === 'fail' || status === 'error');
  const worst = failed.find(({ severity }) => GRAVE.has(severity)) ?? failed[0];
  return (
    worst &&
    driftOf(
      worst,
      checks.find(({ id }) => id === worst.check_id),
    )
  );
}

function driftOf({ check_id, severity, error }: CheckResult, check: Check | undefined): Drift {
  const status = GRAVE.has(severity) ? 'agent_ui_changed' : 'degraded';
  const looked = (check?.assertions ?? []).flatMap(({ target }) => selectorsIn(target));
  const where = looked.length === 0 ? '' : ` It looks for ${looked.join(' or ')}.`;
  const message = error?.message ?? `The check ${check_id} failed.`;
  return { status, check: check_id, message: `${message}${where}` };
}

const selectorsIn = (target: unknown): readonly string[] =>
  isObject(target)
    ? [target['selector'], target['selectors']].flat().filter((each) => typeof each === 'string')
    : [];

const probeOf = (host: SurfaceHost): PageProbe => ({
  url: async () => host.surface().url,
  find: async (target) => trustFound(await host.callPage('find', [target])),
});

const LOST: ReadonlySet<string> = new Set([
  'drift_detected',
  'unsafe_state',
  'workflow_step_failed',
  'workflow_retry_exhausted',
  'target_not_found',
  'state_postcondition_failed',
]);

/** Drift shown by a failed call; undefined if the error has another cause. */
export function driftFromCall(tool: string, error: unknown): Drift | undefined {
  if (!(error instanceof BridgeError) || !LOST.has(error.code)) return undefined;
  const { check_id } = error.evidence;
  const check = typeof check_id === 'string' ? check_id : tool;
  return { status: 'agent_ui_changed', check, message: error.message };
}

const MOST_EVIDENCE = 2_000;

/** State of each part of the map on the live page, with candidates for lost elements. */
export async function driftEvidence(map: Manifest, host: SurfaceHost): Promise<string> {
  const report = await driftReport(map, host);
  return driftText(report).slice(0, MOST_EVIDENCE);
}

function trustFound(value: unknown): Found {
  return value as Found;
}
