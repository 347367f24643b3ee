import { code, grouped, link } from './markdown.ts';
import { asNode, branchesOf, isClosed, isNode, nodesOf, type SchemaNode } from './schema-node.ts';
import { findShape, isObjectShape, type Shape } from './shapes.ts';

/** The type of a field in words: "list of [Session](#session)", "one of `ok`, `failed`". */
export function typeInWords(node: SchemaNode, shapes: readonly Shape[]): string {
  const shape = findShape(shapes, node);
  if (shape !== undefined) return isObjectShape(shape) ? link(shape.name, shape.name) : shape.name;
  if ('const' in node) return code(JSON.stringify(node['const']));
  if (Array.isArray(node['enum'])) return `one of ${node['enum'].map(String).map(code).join(', ')}`;
  const branches = branchesOf(node);
  if (branches.length > 0) return unionInWords(branches, shapes);
  switch (node['type']) {
    case 'integer':
      return 'whole number';
    case 'array':
      return listInWords(node, shapes);
    case 'object':
      return isNode(node['additionalProperties'])
        ? `map of ${typeInWords(asNode(node['additionalProperties']), shapes)}`
        : 'object';
    default:
      return typeof node['type'] === 'string' ? node['type'] : 'any JSON value';
  }
}

function unionInWords(branches: readonly SchemaNode[], shapes: readonly Shape[]): string {
  const kinds = branches.map((branch) => asNode(asNode(branch['properties'])['type'])['const']);
  if (kinds.every((kind) => typeof kind === 'string'))
    return `one of ${kinds.map((kind) => link(code(kind), kind)).join(', ')}`;
  return branches.map((branch) => typeInWords(branch, shapes)).join(' or ');
}

function listInWords(node: SchemaNode, shapes: readonly Shape[]): string {
  if (!Array.isArray(node['items'])) return `list of ${typeInWords(asNode(node['items']), shapes)}`;
  return `[${nodesOf(node['items'])
    .map((item) => typeInWords(item, shapes))
    .join(', ')}]`;
}

/** Constraints of a value besides its type. A named type states them once, with its name. */
export function limitsInWords(node: SchemaNode, shapes: readonly Shape[]): readonly string[] {
  if (findShape(shapes, node) !== undefined) return [];
  if (typeof node['description'] === 'string') return [node['description']];
  const isTuple = Array.isArray(node['items']);
  const own = [
    between(node['minLength'], node['maxLength'], 'characters'),
    isTuple ? '' : between(node['minItems'], node['maxItems'], 'items'),
    node['type'] === 'integer' && node['minimum'] === 0 ? '' : between(node['minimum'], node['maximum'], ''),
    typeof node['pattern'] === 'string' ? `matches ${code(node['pattern'])}` : '',
    isClosed(node) ? 'no other fields' : '',
  ].filter((limit) => limit !== '');
  const items = isNode(node['items']) ? limitsInWords(node['items'], shapes) : [];
  const branches = branchesOf(node).flatMap((branch) => limitsInWords(branch, shapes));
  return [...own, ...items.map((limit) => `each ${limit}`), ...branches];
}

function between(least: unknown, most: unknown, unit: string): string {
  if (typeof least !== 'number') return typeof most === 'number' ? `at most ${amount(most, unit)}` : '';
  if (typeof most === 'number') return `${grouped(least)} to ${amount(most, unit)}`;
  if (unit === '') return `${grouped(least)} or more`;
  return least === 1 ? 'not empty' : `at least ${amount(least, unit)}`;
}

const amount = (value: number, unit: string): string => `${grouped(value)} ${unit}`.trimEnd();

/** Type and constraints of a small type in one phrase. */
export function meaningInWords(node: SchemaNode, shapes: readonly Shape[]): string {
  const branches = branchesOf(node);
  if (branches.length > 0) return branches.map((branch) => meaningInWords(branch, shapes)).join(', or ');
  if (typeof node['description'] === 'string') return node['description'];
  const limits = limitsInWords(node, shapes);
  return `${typeInWords(node, shapes)}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`;
}
