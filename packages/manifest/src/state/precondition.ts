import type { Transition } from '@drawbridge/protocol/manifest';

export interface Preconditions {
  /** Names of declared states: diagnosed before the tool runs. */
  readonly states: readonly string[];
  /** Everything else: words for the agent. */
  readonly prose: readonly string[];
}

/** A precondition that is the name of a declared state, or `{ "state": … }`, is a state; the rest is prose. */
export function preconditionsOf(transition: Transition, isState: (name: string) => boolean): Preconditions {
  const states: string[] = [];
  const prose: string[] = [];
  for (const entry of entriesOf(transition.preconditions)) {
    const state = stateNamedBy(entry, isState);
    if (state === undefined) prose.push(inWords(entry));
    else states.push(state);
  }
  return { states, prose };
}

function stateNamedBy(entry: unknown, isState: (name: string) => boolean): string | undefined {
  if (typeof entry === 'string') return isState(entry) ? entry : undefined;
  if (typeof entry !== 'object' || entry === null || !('state' in entry)) return undefined;
  return typeof entry.state === 'string' ? entry.state : undefined;
}

/** A field that may hold one thing or a list of them, as `preconditions`, `reveals` and `do_not_use` do. */
export function entriesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function inWords(entry: unknown): string {
  return typeof entry === 'string' ? entry : JSON.stringify(entry);
}
