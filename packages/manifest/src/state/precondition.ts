import type { Transition } from '@drawbridge/protocol/manifest';

export interface Preconditions {
  /** Declared states, diagnosed before the tool runs. */
  readonly states: readonly string[];
  /** Text for the agent. */
  readonly prose: readonly string[];
}

/** The name of a declared state and `{ "state": … }` are states; the rest is prose. */
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

/** A field with one value or a list, such as `preconditions`, `reveals` and `do_not_use`. */
export function entriesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function inWords(entry: unknown): string {
  return typeof entry === 'string' ? entry : JSON.stringify(entry);
}
