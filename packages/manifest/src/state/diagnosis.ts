import type { State } from '@drawbridge/protocol/manifest';
import type { PageProbe } from '../host.ts';
import { type Observations, observe } from './observable.ts';
import { isThere, lookFor, type Sighting } from './sighting.ts';

/** Diagnosis of one state: whether it is current, why, and its observables. */
export interface Diagnosis {
  readonly state: string;
  readonly current: boolean;
  readonly findings: readonly Finding[];
  readonly observables: Observations;
}

export interface Finding {
  readonly name?: string;
  readonly holds: boolean;
  readonly sighting: Sighting;
  /** The state that the target requires, when it is not current. */
  readonly missingState?: string;
}

export type Diagnoses = ReadonlyMap<string, Diagnosis>;

/** Probes the page once for every diagnostic of the named states and of the states that they require. */
export async function diagnose(
  declared: readonly State[],
  names: Iterable<string>,
  probe: PageProbe,
): Promise<Diagnoses> {
  const states = withTheirStates(declared, names);
  const url = await probe.url();
  const seen = new Map(
    await Promise.all(
      states.map(async (state) => [state.name, await lookAtDiagnostics(state, url, probe)] as const),
    ),
  );
  return conclude(states, seen, url);
}

export function currentStates(diagnoses: Diagnoses): ReadonlySet<string> {
  return new Set([...diagnoses.values()].filter(({ current }) => current).map(({ state }) => state));
}

function lookAtDiagnostics(state: State, url: string, probe: PageProbe): Promise<Sighting[]> {
  const blank: Sighting = { kind: 'blank' };
  return Promise.all(
    (state.diagnostics ?? []).map(({ target }) => (target ? lookFor(target, url, probe) : blank)),
  );
}

/** The named states, and all states that their targets require, transitively. */
function withTheirStates(declared: readonly State[], names: Iterable<string>): State[] {
  const byName = new Map(declared.map((state) => [state.name, state]));
  const wanted = new Map<string, State>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = byName.get(name);
    if (state === undefined || wanted.has(name)) continue;
    wanted.set(name, state);
    open.push(...(state.diagnostics ?? []).flatMap(({ target }) => target?.state ?? []));
  }
  return declared.filter(({ name }) => wanted.has(name));
}

function conclude(
  states: readonly State[],
  seen: ReadonlyMap<string, readonly Sighting[]>,
  url: string,
): Diagnoses {
  const byName = new Map(states.map((state) => [state.name, state]));
  const done = new Map<string, Diagnosis>();
  const open = new Set<string>();

  /** States that require each other in a cycle are not current, because no element proves them. */
  const isCurrent = (name: string): boolean => {
    const state = byName.get(name);
    if (state === undefined || open.has(name)) return false;
    const before = done.get(name);
    if (before !== undefined) return before.current;
    open.add(name);
    const findings = findingsOf(state, seen.get(name) ?? [], isCurrent);
    open.delete(name);
    const current = findings.length > 0 && findings.every(({ holds }) => holds);
    done.set(name, { state: name, current, findings, observables: observe(state, findings, url) });
    return current;
  };

  for (const { name } of states) isCurrent(name);
  return new Map(states.flatMap(({ name }) => done.get(name) ?? []).map((one) => [one.state, one]));
}

function findingsOf(
  state: State,
  sightings: readonly Sighting[],
  isCurrent: (name: string) => boolean,
): Finding[] {
  return (state.diagnostics ?? []).map(({ name, target }, index) => {
    const sighting = sightings[index] ?? { kind: 'blank' };
    const asked = target?.state;
    const missingState = asked === undefined || isCurrent(asked) ? undefined : asked;
    return {
      ...(name === undefined ? {} : { name }),
      holds: isThere(sighting) && missingState === undefined,
      sighting,
      ...(missingState === undefined ? {} : { missingState }),
    };
  });
}
