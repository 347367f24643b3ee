import { BridgeError } from '@drawbridge/protocol';
import type { Transition } from '@drawbridge/protocol/manifest';
import type { Diagnoses } from './diagnosis.ts';

/** Number of traversals of each transition, and the next allowed time. Plain data: the host stores it. */
export type TransitionLedger = ReadonlyMap<string, Traversal>;

export interface Traversal {
  readonly attempts: number;
  /** The earliest time of the next traversal. */
  readonly freeAt: number;
}

export interface CallMoment {
  readonly now: number;
  readonly timeoutMs: number;
  /** Current states, and conditions that hold according to the host. */
  readonly holding: ReadonlySet<string>;
}

export type Admission =
  | { readonly kind: 'go'; readonly waitMs: number; readonly ledger: TransitionLedger }
  | { readonly kind: 'refused'; readonly error: BridgeError };

/**
 * Admits, delays or refuses a call. The time slot is reserved at once, so that concurrent calls do not share
 * it.
 */
export function admitCall(
  tool: string,
  transitions: readonly Transition[],
  ledger: TransitionLedger,
  moment: CallMoment,
): Admission {
  const ways = traversedBy(tool, transitions, moment.holding);
  const stop = ways
    .map((candidate) => stopOf(candidate, ledger.get(candidate.name), moment))
    .find((error) => error !== undefined);
  if (stop !== undefined) return { kind: 'refused', error: stop };
  const startAt = Math.max(moment.now, ...ways.map(({ name }) => ledger.get(name)?.freeAt ?? 0));
  const waitMs = startAt - moment.now;
  if (waitMs > moment.timeoutMs)
    return { kind: 'refused', error: tooLong(tool, ways, waitMs, moment.timeoutMs) };
  const taken = ways.map((candidate): [string, Traversal] => {
    const attempts = (ledger.get(candidate.name)?.attempts ?? 0) + 1;
    return [candidate.name, { attempts, freeAt: startAt + (candidate.rate_limit_ms ?? 0) }];
  });
  return { kind: 'go', waitMs, ledger: new Map([...ledger, ...taken]) };
}

/**
 * Resets the attempts of each transition whose start and end states are both diagnosed as not current. The
 * delay between two traversals stays.
 */
export function afterDiagnosis(
  transitions: readonly Transition[],
  ledger: TransitionLedger,
  diagnoses: Diagnoses,
): TransitionLedger {
  const left = transitions.filter(({ from, to }) => {
    const seen = [from, to].flatMap((name) => diagnoses.get(name ?? '') ?? []);
    const telling = seen.filter(({ findings }) => findings.length > 0);
    return telling.length > 0 && telling.every(({ current }) => !current);
  });
  const names = new Set(left.map(({ name }) => name));
  return new Map([...ledger].map(([name, was]) => [name, names.has(name) ? { ...was, attempts: 0 } : was]));
}

/** The transitions of the tool that start in a current state, or all of them when none does. */
function traversedBy(
  tool: string,
  transitions: readonly Transition[],
  holding: ReadonlySet<string>,
): readonly Transition[] {
  const all = transitions.filter((transition) => transition.tool === tool);
  const here = all.filter(({ from }) => from === undefined || holding.has(from));
  return here.length > 0 ? here : all;
}

function stopOf(
  { name, convergence = {} }: Transition,
  traversal: Traversal | undefined,
  { holding }: CallMoment,
): BridgeError | undefined {
  const { complete_when, max_attempts } = convergence;
  if (complete_when !== undefined && holding.has(complete_when)) {
    return stopped(name, `is complete: ${complete_when} holds`, { complete_when });
  }
  const attempts = traversal?.attempts ?? 0;
  if (max_attempts === undefined || attempts < max_attempts) return undefined;
  return stopped(name, `was made ${attempts} times, which is its limit`, { attempts, max_attempts });
}

function stopped(transition: string, why: string, evidence: Record<string, unknown>): BridgeError {
  return new BridgeError(
    'state_mismatch',
    `The transition ${transition} ${why}. Go on with something else.`,
    {
      evidence: { transition, ...evidence },
    },
  );
}

function tooLong(tool: string, ways: readonly Transition[], waitMs: number, timeoutMs: number): BridgeError {
  return new BridgeError(
    'handler_timeout',
    `${tool} may run again in ${waitMs} ms, which is longer than the call allows (${timeoutMs} ms). Call again later.`,
    { evidence: { transitions: ways.map(({ name }) => name), wait_ms: waitMs, timeout_ms: timeoutMs } },
  );
}
