import type { Target } from '@drawbridge/protocol/manifest';
import type { Found, PageProbe } from '../host.ts';
import { matchesUrl } from './url-predicate.ts';

/** Result of one probe for a target, regardless of its state. */
export type Sighting =
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'absent'; readonly found: Found }
  /** The target has no element, only a url or a state, and the url matches. */
  | { readonly kind: 'page' }
  /** The url does not match the target. */
  | { readonly kind: 'elsewhere' }
  /** The target has nothing to look for. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The url and the current states, known without a probe. */
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

/** Probes the page for a target's elements, unless its url already excludes them. */
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

/** Whether the target is present: its elements, or its page. The caller checks `state`. */
export function isThere(sighting: Sighting): boolean {
  return sighting.kind === 'found' || sighting.kind === 'page';
}
