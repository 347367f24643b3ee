import { matchesUrl, toPointer } from '@drawbridge/manifest';
import {
  type ExtractEntry,
  type ExtractField,
  isObject,
  type Manifest,
  type StateProjection,
} from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import type { DriftPart } from './drift.ts';

/** A part that may still get repairs; `target` is the missing element. */
export interface ProjectionPart extends DriftPart {
  readonly target?: { readonly selector: string[] };
}

/** Reads each projection of the map on this page. */
export async function projectionParts(map: Manifest, host: SurfaceHost): Promise<ProjectionPart[]> {
  const { url } = host.surface();
  const parts = (map.state_projections ?? []).map(async (projection, index) => {
    const entries = projection.snapshot.extract.flatMap((entry: unknown) => (isEntry(entry) ? [entry] : []));
    if (!isReadAt(projection, url))
      return entries.map((entry, mapTarget) => elsewhere(projection, index, entry, mapTarget));
    try {
      const read = await host.callPage('extract', [entries]);
      const matches = isObject(read) && isObject(read['matches']) ? read['matches'] : {};
      return entries.flatMap((entry, mapTarget) =>
        entryParts(projection, index, entry, mapTarget, matches[entry.id]),
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : 'Could not be read.';
      const pointer = toPointer(['state_projections', index]);
      return [{ pointer, part: `state ${projection.name}`, status: 'failed' as const, why, repairs: [] }];
    }
  });
  return (await Promise.all(parts)).flat();
}

/** Matches `scope` of a projection, in which `*` means any text. */
function isReadAt(projection: StateProjection, url: string): boolean {
  const scope: unknown = Reflect.get(projection, 'scope');
  const patterns = [isObject(scope) ? (scope['url_matches'] ?? []) : []].flat();
  const texts = patterns.filter((pattern): pattern is string => typeof pattern === 'string');
  return texts.length === 0 || texts.some((pattern) => matchesUrl({ url_matches: wildcard(pattern) }, url));
}

const wildcard = (pattern: string): string =>
  `^${pattern
    .split('*')
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('.*')}$`;

/** The validator ran before: an entry without an id, or a selector or path, is none. */
const isEntry = (entry: unknown): entry is ExtractEntry =>
  isObject(entry) && typeof entry['id'] === 'string' && (entry['selector'] ?? entry['xpath']) !== undefined;

const pointerOf = (index: number, mapTarget: number, ...rest: string[]): string =>
  toPointer(['state_projections', index, 'snapshot', 'extract', mapTarget, ...rest]);

function elsewhere(
  { name }: StateProjection,
  index: number,
  { id }: ExtractEntry,
  mapTarget: number,
): ProjectionPart {
  const why = 'Read on other pages.';
  return {
    pointer: pointerOf(index, mapTarget),
    part: `projection ${name}, ${id}`,
    status: 'elsewhere',
    why,
    repairs: [],
  };
}

function entryParts(
  { name }: StateProjection,
  index: number,
  entry: ExtractEntry,
  mapTarget: number,
  found: unknown,
): ProjectionPart[] {
  const records = Array.isArray(found) ? found : [];
  const part = `projection ${name}, ${entry.id}`;
  const selector = [entry.selector ?? []].flat();
  const own: ProjectionPart = {
    pointer: pointerOf(index, mapTarget),
    part,
    ...judgedEntry(records.length, entry),
    selector: entry.xpath ?? selector.join(', '),
    count: records.length,
    repairs: [],
    ...(records.length === 0 && selector.length > 0 && { target: { selector } }),
  };
  if (records.length === 0) return [own];
  const fields = Object.entries(entry.fields ?? {}).map(([key, field]): ProjectionPart => {
    const count = records.reduce((sum: number, record: unknown) => sum + countIn(record, key), 0);
    const inner = [field.selector ?? field.xpath ?? []].flat().join(', ');
    return {
      pointer: pointerOf(index, mapTarget, 'fields', key),
      part: `${part}.${key}`,
      ...judged(count, field),
      ...(inner !== '' && { selector: inner }),
      count,
      repairs: [],
    };
  });
  return [own, ...fields];
}

function judged(count: number, { required }: ExtractField): Pick<DriftPart, 'status' | 'why'> {
  if (count > 0) return { status: 'ok', why: 'Found.' };
  return required === true
    ? { status: 'missing', why: 'Required, but nothing matches its selector.' }
    : { status: 'unsure', why: 'Nothing matches its selector; it is optional.' };
}

function judgedEntry(count: number, entry: ExtractEntry): Pick<DriftPart, 'status' | 'why'> {
  return count > 1 && entry.many !== true
    ? { status: 'ambiguous', why: `${count} elements match; the first is read.` }
    : judged(count, entry);
}

function countIn(record: unknown, key: string): number {
  const fields = isObject(record) && isObject(record['fields']) ? record['fields'] : {};
  const matches = fields[key];
  return Array.isArray(matches) ? matches.length : 0;
}
