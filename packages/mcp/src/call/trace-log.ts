import { SITE_TOOL } from '@drawbridge/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** One bridge call: name, target, duration and outcome. */
export interface TraceEntry {
  readonly at: string;
  readonly name: string;
  readonly runtime_id?: string;
  readonly ms: number;
  /** `ok`, `cancelled`, or the error code. */
  readonly outcome: string;
  readonly arguments: string;
}

export interface TraceLog {
  readonly add: (entry: TraceEntry) => void;
  readonly entries: () => readonly TraceEntry[];
}

const MOST_ENTRIES = 100;

export function createTraceLog(most = MOST_ENTRIES): TraceLog {
  const kept: TraceEntry[] = [];
  return {
    add(entry) {
      kept.push(entry);
      if (kept.length > most) kept.shift();
    },
    entries: () => [...kept],
  };
}

/** Arguments whose values come from us or a schema. Other texts may be secret: only their length is logged. */
const PLAIN: ReadonlySet<string> = new Set([
  'id',
  'to',
  'mode',
  'scope',
  'form',
  'region',
  'since',
  'action',
  'for',
  'format',
]);

/** Only its map knows a declared tool's arguments, so none of their text is logged. */
export function shortArguments(name: string, args: Readonly<Record<string, unknown>>): string {
  const isOurs = name === SITE_TOOL.name || primitiveByName(name) !== undefined;
  return Object.entries(args)
    .map(([key, value]) => `${key}=${shortValue(value, isOurs && PLAIN.has(key))}`)
    .join(' ');
}

function shortValue(value: unknown, isPlain: boolean): string {
  if (typeof value === 'string') return isPlain ? value.slice(0, 40) : `(${value.length} characters)`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return `(${value.length} items)`;
  return '{…}';
}
