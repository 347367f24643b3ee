import { HOST_KINDS, PRIMITIVES } from '@drawbridge/protocol/primitives';
import { fieldsOf, fieldTable } from './field-table.ts';
import type { GeneratedFile } from './file.ts';
import { code, GENERATED, link, page, sentence, table } from './markdown.ts';
import { plain, type SchemaNode } from './schema-node.ts';

type Primitive = (typeof PRIMITIVES)[number];

/** Prefixes of primitive names, and their headings. */
const FAMILIES = [
  ['page', 'Pages'],
  ['element', 'Elements, by id'],
  ['locator', 'Elements, by locator'],
  ['dom', 'The DOM'],
  ['pointer', 'Pointer'],
  ['keyboard', 'Keyboard'],
  ['text', 'Text'],
  ['viewport', 'Viewport'],
  ['clipboard', 'Clipboard'],
  ['overlay', 'Overlays'],
  ['browser', 'Browser'],
  ['storage', 'Storage'],
  ['transfer', 'Transfers'],
] as const;

export const generatePrimitivePage = (): GeneratedFile => ({
  path: 'docs/reference/primitives.md',
  text: page([
    GENERATED,
    '# Primitives',
    `The ${PRIMITIVES.length} small browser operations of a runtime: the steps of a map's workflows, and callable by name. Arguments take no fields but these. The hosts are ${HOST_KINDS.map(code).join(', ')}; one that cannot do a primitive answers \`capability_unavailable\`.`,
    'A *locator* is a target of a map and may also say `frame`, `text` and `retarget`. A primitive that *acts* needs a grant to act, one that *reads* a grant to read.',
    ...FAMILIES.flatMap(familyBlocks),
  ]),
});

const familyOf = ({ name }: Primitive): string => name.split('.')[0] ?? '';

function familyBlocks([family, heading]: (typeof FAMILIES)[number]): readonly string[] {
  const members = PRIMITIVES.filter((primitive) => familyOf(primitive) === family);
  return [
    `## ${heading}`,
    table(
      ['primitive', 'what it does', 'effect', 'class', 'hosts'],
      members.map((each) => [
        link(code(each.name), each.name),
        each.summary,
        each.effect === 'read' ? 'reads' : 'acts',
        each.capability_class,
        each.hosts.length === HOST_KINDS.length ? 'all' : each.hosts.join(', '),
      ]),
    ),
    ...members.flatMap(primitiveBlocks),
  ];
}

function primitiveBlocks({
  name,
  input_schema,
  output_schema,
  errors,
  reasons,
}: Primitive): readonly string[] {
  return [
    `### ${name}`,
    fieldsBlock('Arguments', plain(input_schema)),
    fieldsBlock('Output', plain(output_schema)),
    `Fails with ${errors.map(code).join(', ')}${reasons.length === 0 ? '' : `; \`evidence.reason\`: ${reasons.map(code).join(', ')}`}.`,
  ];
}

const CONTEXT = { shapes: [], notes: {}, owner: '' };

/** Top-level fields only; `asDictionary()` gives the whole schema. */
function fieldsBlock(title: string, node: SchemaNode): string {
  const fields = fieldsOf(node, []).filter(({ path }) => !/[.[]/.test(path));
  if (fields.length === 0) return `${sentence(title)}: none.`;
  return `${sentence(title)}:\n\n${fieldTable(fields, CONTEXT)}`;
}
