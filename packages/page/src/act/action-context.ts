import type { LateEffects } from '../effect/late-effect.ts';
import type { StateCache } from '../effect/state-cache.ts';
import type { SearchContext } from '../heal/search.ts';
import type { ElementRegistry } from '../identity/element-registry.ts';
import type { PageClock } from '../watch/clock.ts';
import type { Watch } from '../watch/watch.ts';
import type { ActionResult } from './action-result.ts';

/** A trusted press, which only a host can make. */
export interface Press {
  readonly x: number;
  readonly y: number;
  readonly button: 'left' | 'middle' | 'right';
  readonly count: number;
  readonly modifiers: readonly Modifier[];
}

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

/** Host features beyond page code. All optional. */
export interface Host {
  /** Trusted input: resolves when the browser has accepted it. */
  readonly press?: (press: Press) => Promise<void>;
  readonly hover?: (point: { readonly x: number; readonly y: number }) => Promise<void>;
  readonly insertText?: (text: string) => Promise<void>;
  readonly pressKeys?: (chord: string) => Promise<void>;
  /** Number of pending requests of this page. */
  readonly inFlight?: () => number;
  /** Sees requests start, and asks for the effect again when those of an act are over. */
  readonly seesRequests?: boolean;
}

/** The context of page actions. */
export interface ActionContext extends SearchContext {
  readonly registry: ElementRegistry;
  readonly watch: Watch;
  readonly clock: PageClock;
  readonly host: Host;
  readonly stateCache: StateCache;
  readonly lateEffects: LateEffects;
  /** Reports the effect of the last act once more. */
  again: (() => Promise<ActionResult>) | undefined;
}
