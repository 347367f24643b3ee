import { BridgeError } from '@drawbridge/protocol';
import type { State, Tool, Transition } from '@drawbridge/protocol/manifest';
import { currentStates, type Diagnoses } from './diagnosis.ts';
import { preconditionsOf } from './precondition.ts';

/** The parts of a map that decide when a tool may run. */
export interface StateModel {
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
}

/** Every state that a call of this tool depends on. */
export function statesBehind(tool: Tool, model: StateModel): ReadonlySet<string> {
  const names = new Set(tool.target?.state === undefined ? [] : [tool.target.state]);
  for (const transition of transitionsOf(tool.name, model)) {
    const { from, to } = transition;
    for (const name of [from, to, ...statePreconditions(transition, model)]) {
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** The error to answer when the page is not in the state that the tool requires. */
export function stateMismatch(tool: Tool, model: StateModel, diagnoses: Diagnoses): BridgeError | undefined {
  const current = currentStates(diagnoses);
  const refuse = (required: string, transition?: string) =>
    mismatch(tool.name, required, current, transition);
  const asked = tool.target?.state;
  if (asked !== undefined && !current.has(asked)) return refuse(asked);
  const all = transitionsOf(tool.name, model);
  const here = all.filter(({ from }) => mayStartFrom(from, model, current));
  if (all.length > 0 && here.length === 0) return refuse(all.flatMap(({ from }) => from ?? []).join(' or '));
  const closed = here.map((candidate) => [candidate.name, firstUnmet(candidate, model, current)] as const);
  const [first] = closed;
  // One open transition is enough.
  if (first === undefined || closed.some(([, unmet]) => unmet === undefined)) return undefined;
  const [transition, unmet = ''] = first;
  return refuse(unmet, transition);
}

/** A state without diagnostics is never current, so it is not required as a start. */
function mayStartFrom(from: string | undefined, model: StateModel, current: ReadonlySet<string>): boolean {
  if (from === undefined || current.has(from)) return true;
  const state = model.states.find(({ name }) => name === from);
  return state !== undefined && (state.diagnostics ?? []).length === 0;
}

function transitionsOf(tool: string, { transitions }: StateModel): readonly Transition[] {
  return transitions.filter((transition) => transition.tool === tool);
}

function statePreconditions(transition: Transition, { states }: StateModel): readonly string[] {
  return preconditionsOf(transition, (name) => states.some((state) => state.name === name)).states;
}

function firstUnmet(
  transition: Transition,
  model: StateModel,
  current: ReadonlySet<string>,
): string | undefined {
  return statePreconditions(transition, model).find((name) => !current.has(name));
}

function mismatch(
  tool: string,
  required: string,
  current: ReadonlySet<string>,
  transition?: string,
): BridgeError {
  const now = current.size === 0 ? 'no known state' : [...current].join(', ');
  return new BridgeError(
    'state_mismatch',
    `${tool} does not work on this page yet: it needs the state ${required}, and the page is in ${now}. Bring the page there first, then call again.`,
    {
      evidence: {
        tool,
        required,
        current: [...current],
        ...(transition === undefined ? {} : { transition }),
      },
    },
  );
}
