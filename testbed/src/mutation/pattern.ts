export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Node extends Span {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Source text by placeholder. */
export type Bindings = ReadonlyMap<string, string>;

interface Match {
  readonly span: Span;
  readonly bindings: Bindings;
}

type Pattern =
  | { readonly kind: 'expression'; readonly node: Node }
  | { readonly kind: 'statements'; readonly nodes: readonly Node[] };

/** A text that ends in `;` is parsed as statements, any other as an expression. */
export function parsePattern(
  text: string,
  parse: (source: string) => { readonly body: readonly Node[] },
): Pattern {
  const isStatements = text.endsWith(';');
  // Wrapped in a function, so that `await` and `return` are allowed.
  const statements = bodyOf(parse(`async () => { ${isStatements ? text : `(${text})`} }`).body[0]);
  if (isStatements) return { kind: 'statements', nodes: statements };
  return { kind: 'expression', node: bare(statements[0]?.['expression']) };
}

function bodyOf(wrapper: Node | undefined): readonly Node[] {
  const { expression } = wrapper as unknown as { expression: { body: { body: readonly Node[] } } };
  return expression.body.body;
}

/** Every match, the outermost first. */
export function matchesIn(
  root: unknown,
  source: string,
  pattern: Pattern,
  known: Bindings,
): readonly Match[] {
  const matcher = createMatcher(source);
  const found: Match[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      if (pattern.kind === 'statements') found.push(...runs(value, pattern.nodes));
      value.forEach(visit);
    } else if (isNode(value)) {
      if (pattern.kind === 'expression' && value.type !== 'ParenthesizedExpression') {
        const bindings = matcher.one(pattern.node, value, known);
        if (bindings !== undefined) found.push({ span: value, bindings });
      } else if (pattern.kind === 'statements' && LONE.has(value.type))
        for (const body of loneBodies(value)) found.push(...runs([body], pattern.nodes));
      for (const [field, child] of Object.entries(value)) if (!TYPES.has(field)) visit(child);
    } else if (value !== null && typeof value === 'object') Object.values(value).forEach(visit);
  };
  const runs = (list: readonly unknown[], wanted: readonly Node[]): Match[] =>
    list.flatMap((_, from) => {
      const part = list.slice(from, from + wanted.length);
      const [first, last] = [part[0], part.at(-1)];
      if (part.length < wanted.length || !isNode(first) || !isNode(last)) return [];
      const bindings = matcher.each(wanted, part, known);
      return bindings === undefined ? [] : [{ span: { start: first.start, end: last.end }, bindings }];
    });
  visit(root);
  return found;
}

/** Statements that may contain another one without braces. */
const LONE: ReadonlySet<string> = new Set([
  'IfStatement',
  'ForOfStatement',
  'ForStatement',
  'WhileStatement',
]);

const loneBodies = (node: Node): readonly Node[] =>
  ['consequent', 'alternate', 'body'].flatMap((field) => {
    const body = node[field];
    return isNode(body) && body.type !== 'BlockStatement' ? [body] : [];
  });

/** A mutant may omit types: they are stripped before it runs. */
const TYPES: ReadonlySet<string> = new Set([
  ...['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'optional', 'definite', 'declare'],
  ...['start', 'end', 'range', 'loc', 'raw', 'decorators', 'parent', 'accessibility', 'parenthesized'],
]);

function createMatcher(source: string) {
  const bind = (name: string, text: string, known: Bindings): Bindings | undefined => {
    if (name === '$_') return known;
    const there = known.get(name);
    if (there !== undefined) return there === text ? known : undefined;
    return new Map([...known, [name, text]]);
  };
  const textOf = (node: Node): string => {
    // A parameter's own text ends before its type.
    const annotation = node['typeAnnotation'];
    return source.slice(
      node.start,
      isNode(annotation) && node.type === 'Identifier' ? annotation.start : node.end,
    );
  };

  const one = (wanted: unknown, given: unknown, known: Bindings): Bindings | undefined => {
    const [pattern, value] = [bare(wanted), bare(given)];
    const name = placeholderOf(pattern);
    if (name !== undefined) return isNode(value) ? bind(name, textOf(value), known) : undefined;
    if (Array.isArray(pattern)) return Array.isArray(value) ? each(pattern, value, known) : undefined;
    if (!isNode(pattern)) return same(pattern, value) ? known : undefined;
    if (!isNode(value) || value.type !== pattern.type) return undefined;
    let bindings: Bindings | undefined = known;
    for (const [field, part] of Object.entries(pattern)) {
      if (TYPES.has(field)) continue;
      bindings = one(part, value[field], bindings);
      if (bindings === undefined) return undefined;
    }
    return bindings;
  };

  const each = (
    wanted: readonly unknown[],
    given: readonly unknown[],
    known: Bindings,
  ): Bindings | undefined => {
    const [first, ...rest] = wanted;
    if (wanted.length === 0) return given.length === 0 ? known : undefined;
    const name = listPlaceholderOf(first);
    if (name === undefined) {
      const bindings = given.length === 0 ? undefined : one(first, given[0], known);
      return bindings && each(rest, given.slice(1), bindings);
    }
    for (let taken = 0; taken <= given.length; taken += 1) {
      const part = given.slice(0, taken).filter(isNode);
      const bindings = bind(name, part.map(textOf).join(name.startsWith('$$') ? '\n' : ', '), known);
      const whole = bindings && each(rest, given.slice(taken), bindings);
      if (whole !== undefined) return whole;
    }
    return undefined;
  };

  return { one, each };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

const same = (one: unknown, other: unknown): boolean =>
  one === other || (one instanceof RegExp && String(one) === String(other));

/** Strips parentheses. */
function bare(value: unknown): Node {
  let node = value as Node;
  while (isNode(node) && node.type === 'ParenthesizedExpression') node = node['expression'] as Node;
  return node;
}

function placeholderOf(pattern: unknown): string | undefined {
  if (!isNode(pattern) || pattern.type !== 'Identifier') return undefined;
  const name = String(pattern['name']);
  return name.startsWith('$') && !name.startsWith('$$') ? name : undefined;
}

function listPlaceholderOf(pattern: unknown): string | undefined {
  if (!isNode(pattern)) return undefined;
  const isSpread = pattern.type === 'SpreadElement' || pattern.type === 'RestElement';
  const inner = pattern[isSpread ? 'argument' : 'expression'];
  if (!isNode(inner) || inner.type !== 'Identifier') return undefined;
  const name = String(inner['name']);
  if (isSpread) return name.startsWith('$') ? name : undefined;
  return pattern.type === 'ExpressionStatement' && name.startsWith('$$') ? name : undefined;
}
