import { visibleJson } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { listAt, textAt, textsAt, valueAt } from '../loose-value.ts';
import { oneLine } from './fence.ts';

/** The map's declarations, one line each: `name(arguments) what it does`. A quarter of the JSON's tokens. */
export function siteLines(listing: unknown): string {
  return [
    ...listAt(listing, 'actions').map(actionLine),
    ...listAt(listing, 'state_projections').map(projectionLine),
    ...['files', 'skills'].flatMap((kind) =>
      listAt(listing, kind).map((entry) => `${kind.slice(0, -1)} ${visibleJson(entry)}`),
    ),
  ].join('\n');
}

function actionLine(action: unknown): string {
  const where = textAt(action, 'target_url_contains');
  return [
    `${textAt(action, 'name') ?? ''}${signature(valueAt(action, 'input_schema'))}`,
    oneLine(textAt(action, 'description') ?? '', 300),
    where !== undefined && `at ${oneLine(where, 100)}`,
    textAt(action, 'effect') === 'irreversible' && '(asks a person first)',
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}

function projectionLine(projection: unknown): string {
  const summaries = textsAt(projection, 'summaries');
  const about = textAt(projection, 'description') ?? '';
  const words = summaries.length > 0 ? ` summaries: ${summaries.join(', ')}` : '';
  return `state ${textAt(projection, 'name') ?? ''} ${oneLine(about, 300)}${words}`.trim();
}

const MAX_DEPTH = 4;

/** `(product: string, quantity?: integer)` */
function signature(schema: unknown): string {
  return `(${fieldsOf(schema, 0)})`;
}

function fieldsOf(schema: unknown, depth: number): string {
  const properties = valueAt(schema, 'properties');
  if (!isObject(properties)) return '';
  const required = textsAt(schema, 'required');
  return Object.entries(properties)
    .map(([name, part]) => `${name}${required.includes(name) ? '' : '?'}: ${typeWords(part, depth + 1)}`)
    .join(', ');
}

function typeWords(schema: unknown, depth: number): string {
  const values = listAt(schema, 'enum');
  if (values.length > 0) return values.map((value) => visibleJson(value)).join('|');
  const type = textAt(schema, 'type') ?? 'any';
  if (depth > MAX_DEPTH) return type;
  if (type === 'array') return `${typeWords(valueAt(schema, 'items'), depth + 1)}[]`;
  const inner = type === 'object' ? fieldsOf(schema, depth) : '';
  return inner === '' ? type : `{${inner}}`;
}
