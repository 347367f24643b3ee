import { FIELD_NOTES, type FieldNotes } from '@drawbridge/protocol/catalog';
import { type Field, fieldsOf, fieldTable } from './field-table.ts';
import type { GeneratedFile } from './file.ts';
import type { Examples } from './inputs.ts';
import { code, GENERATED, link, page, sentence, table } from './markdown.ts';
import { commonFieldsOf, type Message, messagesOf, ownFieldsOf } from './messages.ts';
import { type Part, REFERENCE_PAGES, type ReferencePage } from './reference-pages.ts';
import { routeInWords } from './route.ts';
import { areSame, isClosed, walk } from './schema-node.ts';
import { findShape, isObjectShape, type Shape, shapesOf } from './shapes.ts';
import { meaningInWords } from './type-words.ts';

/** `docs/reference/messages/<family>.md`: every message, for authors of clients. */
export const generateMessagePages = (examples: Examples): readonly GeneratedFile[] =>
  REFERENCE_PAGES.map((reference) => ({
    path: `docs/reference/messages/${reference.family}.md`,
    text: messagePage(reference, examples),
  }));

interface Context {
  readonly shapes: readonly Shape[];
  readonly notes: FieldNotes;
  readonly examples: Examples;
}

function messagePage(reference: ReferencePage, examples: Examples): string {
  const { family, title, intro, spec, parts, objects } = reference;
  const context: Context = { shapes: shapesOf(family), notes: FIELD_NOTES[family], examples };
  return page([
    GENERATED,
    `# ${title}`,
    intro,
    `How they behave is in [the rules](../../spec/${spec}.md), how to read the tables in [the index](../README.md).`,
    legend(parts, context),
    ...parts.flatMap((part) => partBlocks(part, context)),
    ...objectBlocks(objects, context),
  ]);
}

/** Names of small types that the page uses. */
function legend(parts: readonly Part[], { shapes }: Context): string {
  const objects = shapes.filter(isObjectShape).map(({ node }) => node);
  const messages = parts.flatMap(({ protocol }) => messagesOf(protocol)).map(({ node }) => node);
  const nodes = [...walk([...messages, ...objects])];
  const used = shapes.filter(
    (shape) => !isObjectShape(shape) && nodes.some((node) => areSame(node, shape.node)),
  );
  if (used.length === 0) return '';
  return table(
    ['a type called', 'is'],
    used.map((shape) => [
      `**${shape.name}**`,
      meaningInWords(
        shape.node,
        shapes.filter((other) => other !== shape),
      ),
    ]),
  );
}

function partBlocks({ protocol, heading, noun }: Part, context: Context): readonly string[] {
  const messages = messagesOf(protocol);
  const common = commonFieldsOf(messages, context.shapes);
  const told =
    common.length === 0
      ? []
      : [
          `The fields of every ${noun}, which the tables below leave out where there is no more to say of them:`,
          fieldTable(common, { ...context, owner: `every ${noun}` }),
        ];
  return [
    `## ${heading}`,
    ...(messages.length > 1 ? [overview(messages, noun)] : []),
    ...told,
    ...messages.flatMap((message) => [
      ...messageHead(message),
      fieldsBlock(message, common, context),
      exampleBlock(message, context.examples),
    ]),
  ];
}

const overview = (messages: readonly Message[], noun: string): string =>
  table(
    [noun, 'from → to', 'for'],
    messages.map(({ kind, route, purpose }) => [link(code(kind), kind), routeInWords(route), purpose]),
  );

const messageHead = ({ kind, route, purpose, feature }: Message): readonly string[] => [
  `### ${code(kind)}`,
  `*${sentence(routeInWords(route))}.* ${purpose}`,
  feature === undefined
    ? ''
    : `Beyond the contract: it needs the feature ${code(feature)}, which a peer lists in \`connection_hello.features\`.`,
];

function fieldsBlock(message: Message, common: readonly Field[], context: Context): string {
  const shape = findShape(context.shapes, message.node);
  if (shape !== undefined) return `It is a ${link(shape.name, shape.name)}.`;
  const fields = ownFieldsOf(message, common, context.shapes);
  if (fields.length === 0) return 'No further fields.';
  return fieldTable(fields, { ...context, owner: message.kind });
}

function exampleBlock({ protocol, kind }: Message, examples: Examples): string {
  const example = examples.get(`${protocol}/${kind}`);
  return example === undefined ? '' : ['```json', JSON.stringify(example, null, 2), '```'].join('\n');
}

function objectBlocks(heading: string, context: Context): readonly string[] {
  const objects = context.shapes.filter(isObjectShape);
  if (objects.length === 0) return [];
  return [
    `## ${heading}`,
    ...objects.flatMap(({ name, node }) => [
      `### ${name}`,
      isClosed(node) ? 'Closed: any other field is refused.' : '',
      fieldTable(fieldsOf(node, context.shapes), { ...context, owner: name }),
    ]),
  ];
}
