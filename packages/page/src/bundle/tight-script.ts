import type { parseSync } from 'rolldown/utils';

export interface Tightness {
  /** Keys that nobody outside knows by name: they become shorter. */
  readonly innerKeys?: readonly string[];
  /** Files by folder and name, `act/keyboard`, in the order in which the script has them; others come after. */
  readonly order?: readonly string[];
}

/**
 * One script of a module, as small as gzip can get it: one tool moves what is used once to where it is used and
 * shortens the given keys, the other knows newer syntax and names things better; between them functions become arrows,
 * and what is alike comes to stand together.
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
    // Also keys that the browser uses elsewhere: whoever lists them knows that nothing of the browser's is meant.
    mangle: { properties: { builtins: true, regex: new RegExp(`^(?:${innerKeys.join('|')})$`) } },
  });
  const fileOf = filesIn(code);
  const placeOf = ({ name }: Part) => {
    const place = order.indexOf(fileOf.get(name) ?? '');
    return place < 0 ? order.length : place;
  };
  const parts = partsOf(inlined.code ?? '', parseSync).sort((one, other) => placeOf(one) - placeOf(other));
  const script = `(()=>{${parts.map(({ text }) => text).join('\n')}})()`;
  return withShortUndefined((await minify('page.js', script, { compress: true, mangle: true })).code);
}

/** Which file a name at the top is from: the bundler says it above each. */
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
 * What stands at the top. Functions that need no `this` of their own are arrows, so one that is called before its place
 * fails as the script starts. What only does something, and has no name, stays the last.
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

/** Said hundreds of times: as a parameter that nobody gives it is two letters. */
function withShortUndefined(code: string): string {
  if (/\b_0\b/.test(code)) throw new Error('The script has a name _0 already: see withShortUndefined.');
  return code.replaceAll('void 0', '_0').replace('(()=>{', '(_0=>{');
}
