import type { parseSync } from 'rolldown/utils';

export interface Tightness {
  /** Internal keys, which are shortened. */
  readonly innerKeys?: readonly string[];
  /** Files by folder and name, `act/keyboard`, in script order; others follow. */
  readonly order?: readonly string[];
}

/**
 * Compresses a module into the smallest script for gzip: one tool inlines single uses and shortens the given
 * keys, the other supports newer syntax and names better; between them functions become arrows, and similar
 * code is placed together.
 */
export async function tightScript(code: string, tightness: Tightness = {}): Promise<string> {
  const { innerKeys = [], order = [] } = tightness;
  const [{ minify, parseSync }, terser] = await Promise.all([import('rolldown/utils'), import('terser')]);
  const inlined = await terser.minify(code, {
    compress: {
      module: true,
      toplevel: true,
      ecma: 2020,
      passes: 2,
      inline: 0,
      unsafe_arrows: true,
      sequences: false,
      conditionals: false,
      join_vars: false,
    },
    // Includes names of browser properties: a listed key is never the browser's.
    mangle: { properties: { builtins: true, regex: new RegExp(`^(?:${innerKeys.join('|')})$`) } },
  });
  const fileOf = filesIn(code);
  const placeOf = ({ name }: Part) => {
    const index = order.indexOf(fileOf.get(name) ?? '');
    return index < 0 ? order.length : index;
  };
  const parts = partsOf(inlined.code ?? '', parseSync).sort((one, other) => placeOf(one) - placeOf(other));
  const script = `(()=>{${parts.map(({ text }) => text).join('\n')}})()`;
  return withShortUndefined((await minify('page.js', script, { compress: true, mangle: true })).code);
}

/** The source file of each top-level name, from the bundler's comments. */
function filesIn(code: string): ReadonlyMap<string, string> {
  let file = '';
  const lines = code.split('\n').flatMap((line): [string, string][] => {
    file = /^\/\/ (?:.*\/)?([^/]+\/[^/]+)\.(?:ts|m?js)$/.exec(line)?.[1] ?? file;
    const [, name] = /^(?:async )?(?:function\*?|const|let|var|class) ([\w$]+)/.exec(line) ?? [];
    return name === undefined ? [] : [[name, file]];
  });
  return new Map(lines);
}

interface Part {
  readonly name: string;
  readonly text: string;
}

/**
 * Top-level declarations. Functions without `this` are arrows, so one called before its definition fails at
 * script start. Statements without a name stay last.
 */
function partsOf(code: string, parse: typeof parseSync): Part[] {
  return parse('page.js', code).program.body.map((node) => {
    const text = code.slice(node.start, node.end);
    if (node.type === 'VariableDeclaration') {
      const [first] = node.declarations;
      return { name: first?.id.type === 'Identifier' ? first.id.name : '', text };
    }
    if (node.type !== 'FunctionDeclaration' || node.body === null) return { name: '', text };
    const name = node.id?.name ?? '';
    if (node.generator || /\b(?:this|arguments)\b/.test(text)) return { name, text };
    const [start, end] = [node.params[0]?.start ?? 0, node.params.at(-1)?.end ?? 0];
    const head = `const ${name}=${node.async ? 'async' : ''}(${code.slice(start, end)})=>`;
    return { name, text: `${head}${code.slice(node.body.start, node.end)};` };
  });
}

/** Replaces hundreds of `undefined` with an unset two-letter parameter. */
function withShortUndefined(code: string): string {
  if (/\b_0\b/.test(code)) throw new Error('The script has a name _0 already: see withShortUndefined.');
  return code.replaceAll('void 0', '_0').replace('(()=>{', '(_0=>{');
}
