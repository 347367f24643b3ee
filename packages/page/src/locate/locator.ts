import type { Target } from '@drawbridge/protocol/manifest';
import type { QueryScene } from './deep-query.ts';

/** What the map side needs of the page it works in. */
export interface LocateScene extends QueryScene {
  readonly document: Document;
  /** Takes secrets out of text that is about to leave the page, or to be compared with a guess. */
  readonly clean: (text: string) => string;
  /** The same for many texts: the fields are read once. */
  readonly cleaner: () => (text: string) => string;
  /** Whether a url fits a pattern; a host with a linear-time engine brings its own. */
  readonly matchesPattern: (pattern: string, url: string) => boolean;
}

/** A target of contract 2, and what locators of primitives add to it. */
export interface Locator extends Target {
  /** Frames of our own origin to go through, the outermost first. */
  readonly frame?: string | readonly string[];
  /** The same as `text_contains`. */
  readonly text?: string;
  /** From what was matched up to `closest`, then down to `selector`. */
  readonly retarget?: { readonly closest?: string; readonly selector?: string };
}

export interface LocateOptions {
  /** The states that are current. Without them, `state` of a target is the caller's to judge. */
  readonly states?: readonly string[];
}

export interface Located {
  readonly elements: readonly Element[];
  /** Which selector matched. */
  readonly selector?: string;
  readonly usedFallback: boolean;
}
