import { parseAst } from 'rolldown/parseAst';
import { type Bindings, matchesIn, type Node, parsePattern, type Span } from './pattern.ts';

/**
 * Replaces code of the shape `find`. In both texts `$name` matches any expression, property or binding,
 * `...$name` any list of arguments, elements or properties, and `$$name;` any statements.
 */
export interface Change {
  readonly find: string;
  /** Without it, `find` only binds names for later changes. */
  readonly replace?: string;
  /** Default: 1. */
  readonly times?: number;
}

/** Throws when a shape occurs more or less often than a change expects. */
export function mutate(source: string, changes: readonly Change[]): string {
  let code = source;
  let known: Bindings = new Map();
  for (const { find, replace, times = 1 } of changes) {
    const matches = matchesIn(parseModule(code), code, parsePattern(find, parseModule), known);
    const [first] = matches;
    if (first === undefined || matches.length !== times)
      throw new Error(`"${find}" is in the module ${matches.length} times instead of ${times}.`);
    known = first.bindings;
    if (replace === undefined) continue;
    for (const { span, bindings } of matches.toSorted((a, b) => b.span.start - a.span.start))
      code = splice(code, span, fill(replace, bindings));
  }
  return code;
}

/** Names that a module exports by a declaration. */
export function exportsOf(source: string): readonly string[] {
  return parseModule(source).body.flatMap((statement) => {
    if (statement['type'] !== 'ExportNamedDeclaration') return [];
    const { declaration } = statement as { declaration?: Declaration | null };
    const declared = declaration?.declarations ?? [declaration ?? {}];
    return declared.flatMap(({ id }) => id?.name ?? []);
  });
}

interface Declaration {
  readonly id?: { readonly name?: string } | null;
  readonly declarations?: readonly Declaration[];
}

interface Module {
  readonly body: readonly Node[];
}

function parseModule(source: string): Module {
  return parseAst(source, { lang: 'ts' }) as unknown as Module;
}

const splice = (code: string, { start, end }: Span, text: string): string =>
  code.slice(0, start) + text + code.slice(end);

function fill(template: string, bindings: Bindings): string {
  return template.replaceAll(/(?:\.\.\.)?\$\$?\w+;?/g, (name) => {
    const isList = name.startsWith('...') || name.startsWith('$$');
    const key = name.replace('...', '').replace(';', '');
    const bound = bindings.get(key);
    if (bound === undefined) throw new Error(`Nothing is bound to ${key} in "${template}".`);
    return !isList && name.endsWith(';') ? `${bound};` : bound;
  });
}
