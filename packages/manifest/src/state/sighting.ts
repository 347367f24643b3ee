import type { Target } from '@drawbridge/protocol/manifest';
import type { Found, PageProbe } from '../host.ts';
import { matchesUrl } from './url-predicate.ts';

/** What one look at the page says about a target, whatever state it asks for. */
export type Sighting =
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'absent'; readonly found: Found }
  /** The target describes no element, only a url or a state, and the url fits. */
  | { readonly kind: 'page' }
  /** The url is not one that the target speaks of. */
  | { readonly kind: 'elsewhere' }
  /** The target says nothing that could be seen. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Where the page stands: what can be told of a target without its elements. */
export interface PageLocation {
  readonly url: string;
  readonly states: ReadonlySet<string>;
}

const ELEMENT_FIELDS = [
  'selector',
  'selectors',
  'fallback_selectors',
  'role',
  'name',
  'text_equals',
  'text_contains',
] as const;

const PAGE_FIELDS = ['url_contains', 'url_matches', 'state'] as const;

/** The predicates of a target that need no DOM: its url and its state. */
export function holdsAt(target: Target, place: PageLocation): boolean {
  return matchesUrl(target, place.url) && (target.state === undefined || place.states.has(target.state));
}

/** Asks the page for a target's elements, unless its url already says no. */
export async function lookFor(target: Target, url: string, probe: PageProbe): Promise<Sighting> {
  if (!matchesUrl(target, url)) return { kind: 'elsewhere' };
  if (!describesElement(target)) {
    return { kind: PAGE_FIELDS.some((field) => target[field] !== undefined) ? 'page' : 'blank' };
  }
  try {
    const found = await probe.find(target);
    return { kind: found.count > 0 ? 'found' : 'absent', found };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

export function describesElement(target: Target): boolean {
  return ELEMENT_FIELDS.some((field) => target[field] !== undefined);
}

/** The target is there: its elements, or the page it describes. Its `state` is the caller's to ask. */
export function isThere(sighting: Sighting): boolean {
  return sighting.kind === 'found' || sighting.kind === 'page';
}
