import { CATALOG, FIELD_NOTES } from '@drawbridge/protocol/catalog';
import * as parts from '@drawbridge/protocol/inner-parts';
import type { GeneratedFile } from './file.ts';
import { formattedJson } from './json-text.ts';
import { sentence } from './markdown.ts';
import { asNode, isNode, plain, type SchemaNode } from './schema-node.ts';

/** Schema for editors of an actions.json: completion, hovers and most errors while typing. */
export const generateManifestSchema = (): GeneratedFile => ({
  path: 'docs/schema/actions.v1.json',
  text: formattedJson(manifestSchema()),
});

export function manifestSchema(): SchemaNode {
  const shape = plain(CATALOG.manifest.manifest);
  const filled = EDITS.reduce((schema, [path, edit]) => editAt(schema, path, edit), shape);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'actions.json, version 1',
    description: 'Describes a site to an agent: tools, states, signals, projections and checks.',
    ...withNotes(filled, ''),
    $defs: { extractField: withNotes(nested(plain(parts.ExtractField)), 'extract') },
  };
}

type Edit = (node: SchemaNode) => SchemaNode;

const become =
  (schema: SchemaNode): Edit =>
  () =>
    schema;

const extend =
  (more: SchemaNode): Edit =>
  (node) => ({ ...node, ...more });

/** Fields of an extract entry are recursive. */
const nested = (node: SchemaNode): SchemaNode =>
  editAt(node, 'fields', become({ type: 'object', additionalProperties: { $ref: '#/$defs/extractField' } }));

const needs = (...fields: readonly string[]): SchemaNode => ({ required: fields });
const inside = (field: string, schema: SchemaNode): SchemaNode => ({
  ...needs(field),
  properties: { [field]: schema },
});

const postcondition = plain(parts.Postcondition);

/** Rules that the map engine checks and JSON Schema can express. `[]` enters a list. */
const EDITS: readonly (readonly [path: string, edit: Edit])[] = [
  [
    '',
    extend({
      properties: { $schema: { type: 'string' }, ...asNode(plain(CATALOG.manifest.manifest)['properties']) },
    }),
  ],
  [
    'tools[]',
    extend({
      anyOf: [
        needs('workflow'),
        inside('x_actions', needs('handler')),
        inside('x_actions', inside('execution', inside('steps', { minItems: 1 }))),
        inside('x_actions', inside('direction', { const: 'html_to_agent' })),
      ],
    }),
  ],
  ['tools[].x_actions.execution.steps[]', become(plain(parts.ExecutionStep))],
  [
    'tools[].x_actions.execution.mode',
    extend({ examples: ['steps_first', 'handler_first', 'documentary', 'test_only'] }),
  ],
  [
    'tools[].workflow.steps[]',
    extend({
      dependentRequired: {
        for_each: ['max_items'],
        max_items: ['for_each'],
        retry_until: ['max_attempts'],
        max_attempts: ['retry_until'],
        after_each: ['retry_until'],
      },
    }),
  ],
  ['tools[].workflow.steps[].settle_after', extend({ oneOf: [needs('locator'), needs('delay_ms')] })],
  [
    'tools[].workflow.postcondition',
    become({ anyOf: [{ type: 'string' }, { ...postcondition, required: ['verify', 'projection'] }] }),
  ],
  ['context[].load_when', become(plain(parts.LoadWhen))],
  ['attachments[].lifecycle', become(plain(parts.Lifecycle))],
  ['checks[].assertions[]', become(plain(parts.Assertion))],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  ['signals[]', extend({ if: inside('ingestion', { const: 'enabled' }), then: needs('event') })],
  ['state_projections[].snapshot.extract[]', become(nested(plain(parts.ExtractEntry)))],
  ['state_projections[].postconditions', extend({ additionalProperties: postcondition })],
];

/** Changes the schema at a path such as `tools[].workflow.steps[]`. */
function editAt(schema: SchemaNode, path: string, edit: Edit): SchemaNode {
  if (path === '') return edit(schema);
  const [, key = '', lists = '', rest = ''] = /^([^.[]+)((?:\[\])*)\.?(.*)$/.exec(path) ?? [];
  const properties = asNode(schema['properties']);
  if (!isNode(properties[key])) throw new Error(`The shape of a map has no ${path}.`);
  const inner =
    lists === ''
      ? editAt(asNode(properties[key]), rest, edit)
      : editItems(asNode(properties[key]), rest, edit);
  return { ...schema, properties: { ...properties, [key]: inner } };
}

const editItems = (list: SchemaNode, rest: string, edit: Edit): SchemaNode => ({
  ...list,
  items: editAt(asNode(list['items']), rest, edit),
});

/** Name of a part in the reference, by the section that holds it. */
const PART_OF: Readonly<Record<string, string>> = {
  '': 'manifest',
  imports: 'Import',
  context: 'ContextBlock',
  tools: 'Tool',
  target: 'Target',
  workflow: 'Workflow',
  states: 'State',
  transitions: 'Transition',
  state_projections: 'StateProjection',
  attachments: 'Attachment',
  signals: 'Signal',
  checks: 'Check',
};

const NOTES: Readonly<Record<string, string>> = FIELD_NOTES.manifest;

/** Copies the notes of the reference into descriptions, which editors show. */
function withNotes(node: SchemaNode, holder: string): SchemaNode {
  const properties = Object.entries(asNode(node['properties'])).map(([key, inner]) => {
    const note = NOTES[`${PART_OF[holder] ?? holder}.${key}`] ?? NOTES[`${holder}.${key}`] ?? NOTES[key];
    const noted = withNotes(asNode(inner), key);
    return [key, note === undefined ? noted : { ...noted, description: sentence(note) }];
  });
  return {
    ...node,
    ...(isNode(node['properties']) ? { properties: Object.fromEntries(properties) } : {}),
    ...(isNode(node['items']) ? { items: withNotes(node['items'], holder) } : {}),
  };
}
