import { SITE_TOOL } from '@drawbridge/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** One call that went over the bridge: what, where, how long, how it ended. */
export interface TraceEntry {
  readonly at: string;
  readonly name: string;
  readonly runtime_id?: string;
  readonly ms: number;
  /** `ok`, `cancelled`, or the code of the error. */
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

/** Whose values are words of ours or of a schema. Any other text may be a secret: only its length is told. */
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

/** What the arguments of a declared tool mean only its map knows: of them no text is told. */
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
