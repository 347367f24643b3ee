import type { FieldNotes } from '@drawbridge/protocol/catalog';
import { code, table } from './markdown.ts';
import { asNode, hasProperties, propertiesOf, requiredOf, type SchemaNode } from './schema-node.ts';
import { findShape, type Shape } from './shapes.ts';
import { limitsInWords, typeInWords } from './type-words.ts';

export interface Field {
  /** `resume.sessions[].last_sequence` */
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

/** Every field of an object and its unnamed objects, each after the field that holds it. */
export function fieldsOf(node: SchemaNode, shapes: readonly Shape[], prefix = ''): readonly Field[] {
  const required = requiredOf(node);
  return propertiesOf(node).flatMap(([name, inner]) => {
    const field = { path: `${prefix}${name}`, node: inner, required: required.has(name) };
    return [field, ...fieldsInside(field, shapes)];
  });
}

function fieldsInside({ path, node }: Field, shapes: readonly Shape[]): readonly Field[] {
  const places: readonly (readonly [string, SchemaNode])[] = [
    ['.', node],
    ['[].', asNode(node['items'])],
    ['.*.', asNode(node['additionalProperties'])],
  ];
  return places.flatMap(([joint, inner]) =>
    hasProperties(inner) && findShape(shapes, inner) === undefined
      ? fieldsOf(inner, shapes, `${path}${joint}`)
      : [],
  );
}

export interface TableContext {
  readonly shapes: readonly Shape[];
  readonly notes: FieldNotes;
  /** The message or object that the table describes. */
  readonly owner: string;
}

export function fieldTable(fields: readonly Field[], context: TableContext): string {
  return table(
    ['field', 'type', 'required', 'notes'],
    fields.map((field) => [
      code(field.path),
      typeInWords(field.node, context.shapes),
      field.required ? 'yes' : '',
      [...limitsInWords(field.node, context.shapes), ...notesOf(field, context)].join('; '),
    ]),
  );
}

/** Keys under which a note on a field may be stored, the most specific first. */
export const noteKeysOf = (owner: string, path: string): readonly string[] => [`${owner}.${path}`, path];

function notesOf({ path }: Field, { owner, notes }: TableContext): readonly string[] {
  const key = noteKeysOf(owner, path).find((candidate) => Object.hasOwn(notes, candidate));
  const text = key === undefined ? undefined : notes[key];
  return text === undefined ? [] : [text];
}
