import type { Target } from '@drawbridge/protocol/manifest';
import type { QueryContext } from './deep-query.ts';

/** The map side's access to the page. */
export interface LocateContext extends QueryContext {
  readonly document: Document;
  /** Masks secrets in text that leaves the page or is compared with a guess. */
  readonly clean: (text: string) => string;
  /** The same for many texts: reads the fields once. */
  readonly cleaner: () => (text: string) => string;
  /** Whether a url matches a pattern; a host with a linear-time engine supplies its own. */
  readonly matchesPattern: (pattern: string, url: string) => boolean;
}

/** A target of contract 2, extended for locators of primitives. */
export interface Locator extends Target {
  /** Same-origin frames to enter, the outermost first. */
  readonly frame?: string | readonly string[];
  /** Alias of `text_contains`. */
  readonly text?: string;
  /** Moves from the match up to `closest`, then down to `selector`. */
  readonly retarget?: { readonly closest?: string; readonly selector?: string };
}

export interface LocateOptions {
  /** The current states. Without them, the caller judges `state` of a target. */
  readonly states?: readonly string[];
}

export interface Located {
  readonly elements: readonly Element[];
  readonly selector?: string;
  readonly usedFallback: boolean;
}
