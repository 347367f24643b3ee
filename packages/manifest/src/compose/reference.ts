import type { Attachment, Target } from '@drawbridge/protocol/manifest';
import { isObject } from '@drawbridge/protocol/manifest';
import type { Part, Section } from './parts.ts';

/** A name by which one part of a map refers to another. */
export interface Reference {
  readonly sections: readonly Section[];
  readonly name: string;
  /** May also be prose or a host's primitive, so an unknown name is no error. */
  readonly optional: boolean;
}

/** Returns the name to write in place of the reference. */
export type MapName = (reference: Reference) => string;

type Mappers = { readonly [Name in Section]: (part: Part<Name>, map: MapName) => Part<Name> };

/** Copies a part and maps every reference in it. */
export function mapReferences<Name extends Section>(
  section: Name,
  part: Part<Name>,
  map: MapName,
): Part<Name> {
  return MAPPERS[section](part, map);
}

const MAPPERS: Mappers = {
  tools: (tool, map) => {
    const { workflow, x_actions } = tool;
    return {
      ...inTarget(tool, map),
      ...(workflow === undefined
        ? {}
        : { workflow: change(workflow, { postcondition: (value) => inPostcondition(value, map) }) }),
      ...(x_actions?.execution?.steps === undefined
        ? {}
        : { x_actions: { ...x_actions, execution: inSteps(x_actions.execution, map) } }),
    };
  },
  signals: (signal, map) => inTarget(signal, map),
  states: (state, map) =>
    change(state, { diagnostics: (list) => list?.map((diagnostic) => inTarget(diagnostic, map)) }),
  transitions: (transition, map) =>
    change(transition, {
      from: (name) => named(['states'], name, map),
      to: (name) => named(['states'], name, map),
      tool: (name) => named(['tools'], name, map),
      signal: (name) => named(['signals'], name, map),
      preconditions: (value) => inProse(value, map),
      reveals: (value) => inProse(value, map),
      convergence: (value) =>
        value && change(value, { complete_when: (name) => maybeNamed(['states'], name, map) }),
    }),
  context: (block, map) =>
    change(block, {
      available_tools: (names) => names?.map((name) => oneOf(['tools'], name, map)),
      next_states: (names) => names?.map((name) => oneOf(['states'], name, map)),
      load_when: (value) => value && inLoadWhen(value, map),
    }),
  attachments: (attachment, map) =>
    change(inTarget(attachment, map), {
      signals: (names) => names && inSignals(names, map),
      affordance: (affordance) =>
        affordance &&
        change(affordance, {
          opens: (opens) => opens && { ...opens, tool: oneOf(['tools'], opens.tool, map, true) },
        }),
    }),
  checks: (check, map) =>
    change(check, { assertions: (list) => list?.map((assertion) => inAssertion(assertion, map)) }),
  state_projections: (projection, map) =>
    change(projection, { postconditions: (value) => value && inPostconditions(value, map) }),
};

function inSignals(names: NonNullable<Attachment['signals']>, map: MapName): Attachment['signals'] {
  const renamed = (name: string) => oneOf(['signals'], name, map);
  if (Array.isArray(names)) return names.map(renamed);
  return Object.fromEntries(Object.entries(names).map(([change, name]) => [change, renamed(name)]));
}

/** Changes the fields that are present; absent fields stay absent. */
function change<Whole extends object>(
  whole: Whole,
  changes: { readonly [Key in keyof Whole]?: (value: Whole[Key]) => Whole[Key] },
): Whole {
  const copy = { ...whole };
  for (const key in changes) {
    const apply = changes[key];
    if (apply !== undefined && Object.hasOwn(whole, key)) copy[key] = apply(whole[key]);
  }
  return copy;
}

const oneOf = (sections: readonly Section[], name: string, map: MapName, optional = false): string =>
  map({ sections, name, optional });

function named<Name extends string | undefined>(
  sections: readonly Section[],
  name: Name,
  map: MapName,
): string | Name {
  return name === undefined ? name : oneOf(sections, name, map);
}

function maybeNamed<Name extends string | undefined>(
  sections: readonly Section[],
  name: Name,
  map: MapName,
): string | Name {
  return name === undefined ? name : oneOf(sections, name, map, true);
}

function inTarget<Holder extends { readonly target?: Target }>(holder: Holder, map: MapName): Holder {
  const { target } = holder;
  return target?.state === undefined
    ? holder
    : { ...holder, target: { ...target, state: oneOf(['states'], target.state, map) } };
}

/** For targets whose fields the schema leaves open. */
function inOpenTarget(value: unknown, map: MapName): unknown {
  return isObject(value) && typeof value['state'] === 'string'
    ? { ...value, state: oneOf(['states'], value['state'], map) }
    : value;
}

function inSteps<Execution extends { steps?: Record<string, unknown>[] }>(
  execution: Execution,
  map: MapName,
): Execution {
  const steps = execution.steps?.map((step) => change(step, { target: (value) => inOpenTarget(value, map) }));
  return steps === undefined ? execution : { ...execution, steps };
}

function inPostcondition(value: unknown, map: MapName): unknown {
  if (typeof value === 'string') return oneOf(['state_projections'], value, map);
  return isObject(value) ? change(value, { projection: (name) => projectionNamed(name, map) }) : value;
}

function projectionNamed(name: unknown, map: MapName): unknown {
  return typeof name === 'string' ? oneOf(['state_projections'], name, map) : name;
}

/** Keys in a projection's `postconditions` are tool names. */
function inPostconditions(value: Record<string, unknown>, map: MapName): Record<string, unknown> {
  const entries = Object.entries(value).map(([tool, rule]) => [
    oneOf(['tools'], tool, map),
    isObject(rule) ? change(rule, { projection: (name) => projectionNamed(name, map) }) : rule,
  ]);
  return Object.fromEntries(entries);
}

/** A value, or a list of them, that is prose unless it is a state's name or `{ "state": … }`. */
function inProse(value: unknown, map: MapName): unknown {
  if (Array.isArray(value)) return value.map((entry) => inProse(entry, map));
  return typeof value === 'string' ? oneOf(['states'], value, map, true) : inOpenTarget(value, map);
}

const WITH_TARGETS: readonly Section[] = ['tools', 'signals', 'attachments'];

function inLoadWhen(value: Record<string, unknown>, map: MapName): Record<string, unknown> {
  const each = (list: unknown, apply: (entry: unknown) => unknown) =>
    Array.isArray(list) ? list.map(apply) : apply(list);
  const state = (entry: unknown) => (typeof entry === 'string' ? oneOf(['states'], entry, map) : entry);
  const target = (entry: unknown) =>
    typeof entry === 'string' ? oneOf(WITH_TARGETS, entry, map, true) : inOpenTarget(entry, map);
  return change(value, { states: (list) => each(list, state), targets: (list) => each(list, target) });
}

function inAssertion(assertion: Record<string, unknown>, map: MapName): Record<string, unknown> {
  const to = (sections: readonly Section[]) => (name: unknown) =>
    typeof name === 'string' ? oneOf(sections, name, map) : name;
  return change(assertion, {
    tool: to(['tools']),
    state: to(['states']),
    attachment: to(['attachments']),
    target: (value) => (typeof value === 'string' ? to(WITH_TARGETS)(value) : inOpenTarget(value, map)),
  });
}
