import { BridgeError } from '@drawbridge/protocol';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { closest, distance } from 'fastest-levenshtein';
import { diffState } from '../projection/state-diff.ts';
import { readState, type StateSource } from '../projection/state-reading.ts';
import type { StateSnapshots } from '../projection/state-snapshots.ts';
import { readSummary } from '../projection/state-summary.ts';
import { ACTION_KEYS, readSiteCall, type SiteCall, type SiteRoute } from './site-call.ts';
import { isCallable, listSite } from './site-listing.ts';

export interface SiteRuntime {
  /** Survives a navigation, so that diffs continue from the last snapshot. */
  readonly runtime_key: string;
  readonly map: Manifest;
  readonly source: Omit<StateSource, 'projections'>;
  /** Runs a tool of the map, with schema, permission, state and checks. */
  readonly call: (
    action: string,
    args: Readonly<Record<string, unknown>>,
    options: { readonly timeout_ms: number },
  ) => Promise<unknown>;
}

/** The connected runtimes, as `actions.site` uses them. */
export interface SiteHost {
  /** Returns exactly one runtime, which observes the timeout, or throws a BridgeError. */
  readonly find: (route: SiteRoute, options: { readonly timeout_ms: number }) => Promise<SiteRuntime>;
  readonly snapshots: StateSnapshots;
}

/** Answers a call of `actions.site`. Throws a BridgeError that names the available alternatives. */
export async function callSite(host: SiteHost, input: unknown): Promise<unknown> {
  const call = readSiteCall(input);
  const runtime = await host.find(call.route, { timeout_ms: call.timeout_ms });
  if (call.mode === 'list') return listSite(runtime.map);
  if (call.mode === 'call') return runAction(runtime, call);
  return answerState(host, runtime, call);
}

async function runAction(runtime: SiteRuntime, call: SiteCall): Promise<unknown> {
  const known = runtime.map.tools.filter(isCallable).map(({ name }) => name);
  if (call.action === undefined) {
    throw missing('Say which action to call: put its name in `action`.', 'actions', known);
  }
  if (!known.includes(call.action)) throw unknownAction(call.action, known);
  const args = withoutRepeated(call.action, call.arguments, runtime.map);
  return runtime.call(call.action, args, { timeout_ms: call.timeout_ms });
}

/** Models repeat the action inside `arguments`, which a closed schema would refuse. The tool's own fields stay. */
function withoutRepeated(action: string, args: SiteCall['arguments'], map: Manifest): SiteCall['arguments'] {
  const declared = Object(map.tools.find(({ name }) => name === action)?.input_schema['properties']);
  return Object.fromEntries(
    Object.entries(args).filter(
      ([key, value]) => !ACTION_KEYS.includes(key) || value !== action || Object.hasOwn(declared, key),
    ),
  );
}

function answerState(host: SiteHost, runtime: SiteRuntime, call: SiteCall): Promise<unknown> {
  const projections = runtime.map.state_projections ?? [];
  const source: StateSource = { ...runtime.source, projections };
  const query = {
    projection_name: projectionOf(call, projections),
    ...(call.max_bytes !== undefined && { max_bytes: call.max_bytes }),
  };
  if (call.mode === 'state_read') return readState(source, query);
  if (call.mode === 'state_summary') {
    const named = call.summary_name === undefined ? {} : { summary_name: call.summary_name };
    return readSummary(source, { ...query, ...named });
  }
  if (call.summary_name !== undefined) throw diffOfASummary(call.summary_name);
  return diffState(source, host.snapshots, { ...query, runtime_key: runtime.runtime_key });
}

/** The projection is optional when the map has exactly one. */
function projectionOf(call: SiteCall, projections: readonly { readonly name: string }[]): string {
  const known = projections.map(({ name }) => name);
  const name = call.projection_name ?? (known.length === 1 ? known[0] : undefined);
  if (name !== undefined) return name;
  throw missing(`Say which projection to read, in \`projection_name\`.`, 'projections', known);
}

function missing(advice: string, kind: string, known: readonly string[]): BridgeError {
  const list = known.length > 0 ? `There are: ${known.join(', ')}.` : `The map has no ${kind}.`;
  return new BridgeError('invalid_input', `${advice} ${list}`, {
    evidence: { [`available_${kind}`]: known },
  });
}

const FARTHEST_GUESS = 3;

function unknownAction(action: string, known: readonly string[]): BridgeError {
  const near = known.length > 0 ? closest(action, known) : '';
  const guess = near !== '' && distance(action, near) <= FARTHEST_GUESS ? ` Did you mean ${near}?` : '';
  const list = known.length > 0 ? ` There are: ${known.join(', ')}.` : ' The map has none.';
  return new BridgeError('unknown_action', `There is no action "${action}".${guess}${list}`, {
    evidence: { action, available_actions: known },
  });
}

const diffOfASummary = (summary: string): BridgeError =>
  new BridgeError(
    'state_diff_requires_full_state',
    `A diff is one of full states, not of the summary "${summary}". Leave \`summary_name\` out.`,
  );
