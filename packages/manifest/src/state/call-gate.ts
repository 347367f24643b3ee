import type { BridgeError } from '@drawbridge/protocol';
import type { Signal, Tool, Transition } from '@drawbridge/protocol/manifest';
import type { PageProbe } from '../host.ts';
import { currentStates, type Diagnoses, diagnose } from './diagnosis.ts';
import { type StateModel, stateMismatch, statesBehind } from './required-state.ts';
import { admitCall, afterDiagnosis, type TransitionLedger } from './transition-ledger.ts';

export interface GateRequest {
  readonly tool: Tool;
  readonly ledger: TransitionLedger;
  readonly now: number;
  readonly timeoutMs: number;
  /** Conditions in `complete_when` that are not states and that hold according to the host. */
  readonly conditions?: ReadonlySet<string>;
}

export type GateAnswer =
  | {
      readonly kind: 'go';
      readonly waitMs: number;
      readonly ledger: TransitionLedger;
      readonly diagnoses: Diagnoses;
    }
  | { readonly kind: 'refused'; readonly error: BridgeError; readonly diagnoses: Diagnoses };

/** Diagnoses the states that a tool requires, then admits, delays or refuses the call. */
export async function gateCall(
  model: StateModel,
  request: GateRequest,
  probe: PageProbe,
): Promise<GateAnswer> {
  const { tool, now, timeoutMs, conditions = [] } = request;
  const diagnoses = await diagnose(model.states, conditionStates(tool, model), probe);
  const mismatch = stateMismatch(tool, model, diagnoses);
  if (mismatch !== undefined) return { kind: 'refused', error: mismatch, diagnoses };
  const ledger = afterDiagnosis(model.transitions, request.ledger, diagnoses);
  const holding = new Set([...currentStates(diagnoses), ...trueObservables(diagnoses), ...conditions]);
  return { ...admitCall(tool.name, model.transitions, ledger, { now, timeoutMs, holding }), diagnoses };
}

/** The states to diagnose again after a signal. */
export function statesMovedBy(signal: Signal['name'], transitions: readonly Transition[]): readonly string[] {
  const joined = transitions
    .filter((transition) => transition.signal === signal)
    .flatMap(({ from, to }) => [from, to])
    .filter((name) => name !== undefined);
  return [...new Set(joined)];
}

/** The states that the tool requires, and those that end its transitions. */
function conditionStates(tool: Tool, model: StateModel): ReadonlySet<string> {
  const ends = model.transitions
    .filter((transition) => transition.tool === tool.name)
    .flatMap(({ convergence }) => convergence?.complete_when ?? []);
  return new Set([...statesBehind(tool, model), ...ends]);
}

function trueObservables(diagnoses: Diagnoses): string[] {
  return [...diagnoses.values()].flatMap(({ observables }) =>
    Object.keys(observables).filter((name) => observables[name] === true),
  );
}
