import type { ExtractEntry, Target } from '@drawbridge/protocol/manifest';

/**
 * What the engine asks of whoever runs it. The engine itself has no page, no clock, no worker and no
 * file: a host with a DOM, a Node process and a test each bring their own.
 */

/** Runs JSONata out of reach of its host: a worker, a sandboxed frame. Fails only with a BridgeError. */
export interface Evaluator {
  evaluate(expression: string, input: unknown, limits?: EvaluationLimits): Promise<unknown>;
  close(): Promise<void>;
}

export interface EvaluationLimits {
  readonly maxMs?: number;
  readonly maxOutputBytes?: number;
  /** Who asks. Lanes take turns, so that one map's flood of expressions holds up no other map. */
  readonly queueKey?: string;
}

/** Tells running work to stop. The pure packages have no AbortSignal; hosts adapt theirs. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Calls back once when cancelled, at once if it already is. Returns how to stop listening. */
  readonly onCancel: (listener: () => void) => () => void;
}

export interface Clock {
  readonly now: () => number;
  /** Resolves after the time, or as soon as it is cancelled. */
  readonly sleep: (ms: number, cancellation?: Cancellation) => Promise<void>;
}

/** Runs one primitive of the dictionary on the page. Fails with a BridgeError. */
export type RunPrimitive = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  cancellation: Cancellation,
) => Promise<unknown>;

/** Looks at the live page for the engine: states, checks, context and attachments ask through it. */
export interface PageProbe {
  readonly url: () => Promise<string>;
  readonly find: (target: Target) => Promise<Found>;
}

export interface Found {
  readonly count: number;
  readonly visible: boolean;
  /** Which selector matched, and whether it was one of the fallbacks. */
  readonly selector?: string;
  readonly usedFallback?: boolean;
  readonly text?: string;
}

/**
 * Reads what a projection declares off the live document, all of it at one moment. `shapeRecords` makes an
 * extraction of what a page side merely found.
 */
export interface Extractor {
  readonly extract: (entries: readonly ExtractEntry[]) => Promise<Extraction>;
}

export interface Extraction {
  readonly url: string;
  readonly title: string;
  /** By the id of the entry: a list for `many`, else one record, or null. */
  readonly records: Readonly<Record<string, unknown>>;
  readonly selector_counts: Readonly<Record<string, number>>;
  /** As `lists.name`, each named once. */
  readonly missing_required_fields: readonly string[];
}
