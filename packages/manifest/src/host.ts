import type { ExtractEntry, Target } from '@drawbridge/protocol/manifest';

/** Interfaces that a host provides: the engine itself has no page, clock, worker or file. */

/** Runs JSONata isolated from its host, in a worker or a sandboxed frame. Throws only BridgeErrors. */
export interface Evaluator {
  evaluate(expression: string, input: unknown, limits?: EvaluationLimits): Promise<unknown>;
  close(): Promise<void>;
}

export interface EvaluationLimits {
  readonly maxMs?: number;
  readonly maxOutputBytes?: number;
  /** Keys take turns, so that one map's expressions do not delay another's. */
  readonly queueKey?: string;
}

/** Runs one primitive of the dictionary on the page. Throws a BridgeError. */
export type RunPrimitive = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown>;

/** Reads the live page for states, checks, context and attachments. */
export interface PageProbe {
  readonly url: () => Promise<string>;
  readonly find: (target: Target) => Promise<Found>;
}

export interface Found {
  readonly count: number;
  readonly visible: boolean;
  /** The selector that matched; `usedFallback` tells whether it was a fallback. */
  readonly selector?: string;
  readonly usedFallback?: boolean;
  readonly text?: string;
}

/**
 * Reads a projection's entries from the live document, all at one moment. `shapeRecords` turns raw matches
 * into an extraction.
 */
export interface Extractor {
  readonly extract: (entries: readonly ExtractEntry[]) => Promise<Extraction>;
}

export interface Extraction {
  readonly url: string;
  readonly title: string;
  /** By entry id: a list for `many`, else one record or null. */
  readonly records: Readonly<Record<string, unknown>>;
  readonly selector_counts: Readonly<Record<string, number>>;
  /** Paths such as `lists.name`, each once. */
  readonly missing_required_fields: readonly string[];
}
