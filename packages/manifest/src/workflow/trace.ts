import { byteLength } from '../expression/byte-length.ts';
import type { Failure } from './run.ts';

/** One entry of a run's trace, for people. */
export interface TraceEntry {
  readonly step: string;
  readonly kind: 'step' | 'after_each' | 'settle';
  readonly primitive?: string;
  readonly ms: number;
  readonly args?: unknown;
  readonly output?: unknown;
  readonly error?: Failure;
  readonly skipped?: true;
  readonly navigated?: true;
  /** Index of the `for_each` item, from 0. */
  readonly item?: number;
  /** Number of the `retry_until` attempt, from 1. */
  readonly attempt?: number;
}

/** Hides secrets in a trace: passwords, codes, card numbers. */
export type Redact = (value: unknown, entry: TraceEntry) => unknown;

export function presentable(entry: TraceEntry, maxBytes: number, redact: Redact | undefined): TraceEntry {
  const show = (value: unknown): unknown =>
    shorten(redact === undefined ? value : redact(value, entry), maxBytes);
  return {
    ...entry,
    ...(entry.args !== undefined && { args: show(entry.args) }),
    ...(entry.output !== undefined && { output: show(entry.output) }),
  };
}

function shorten(value: unknown, maxBytes: number): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  const bytes = byteLength(text);
  return bytes <= maxBytes ? value : { shortened: true, bytes, begins: text.slice(0, maxBytes) };
}
