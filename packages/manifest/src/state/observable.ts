import type { State } from '@drawbridge/protocol/manifest';
import type { Found } from '../host.ts';
import type { Sighting } from './sighting.ts';

/** The observables of a state, by name; null when the probe cannot tell. */
export type Observations = Readonly<Record<string, string | number | boolean | null>>;

interface NamedFinding {
  readonly name?: string;
  readonly sighting: Sighting;
}

/**
 * Maps only name observables. `url` is the page's; `<diagnostic>_count`, `_visible` and `_text` are findings
 * of the diagnostic with that name. A state with one diagnostic uses it for any prefix. All others are null,
 * for the host to fill in.
 */
export function observe(state: State, findings: readonly NamedFinding[], url: string): Observations {
  const pairs = (state.observables ?? []).map((name) => [name, observed(name, findings, url)]);
  return Object.freeze(Object.fromEntries(pairs));
}

function observed(
  observable: string,
  findings: readonly NamedFinding[],
  url: string,
): string | number | boolean | null {
  if (observable === 'url') return url;
  const [, stem, ending] = /^(.+)_(count|visible|text)$/.exec(observable) ?? [];
  if (stem === undefined) return null;
  const meant =
    findings.find(({ name }) => name === stem) ?? (findings.length === 1 ? findings[0] : undefined);
  const found = meant === undefined ? undefined : foundIn(meant.sighting);
  if (found === undefined) return null;
  if (ending === 'count') return found.count;
  return ending === 'visible' ? found.visible : (found.text ?? null);
}

function foundIn(sighting: Sighting): Found | undefined {
  return sighting.kind === 'found' || sighting.kind === 'absent' ? sighting.found : undefined;
}
