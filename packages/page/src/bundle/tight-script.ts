import type { parseSync } from 'rolldown/utils';

/**
 * One script of a module, as small as gzip can get it: one tool moves what is used once to where it is used and
 * shortens the given keys, the other knows newer syntax and names things better; between them functions become arrows.
 */
export async function tightScript(code: string, innerKeys: readonly string[] = []): Promise<string> {
  const [{ minify, parseSync }, terser] = await Promise.all([import('rolldown/utils'), import('terser')]);
  const inlined = await terser.minify(code, {
    module: true,
    compress: {
      ecma: 2020,
      passes: 2,
      inline: 0,
      unsafe_arrows: true,
      sequences: false,
      conditionals: false,
    },
    mangle: { properties: { regex: new RegExp(`^(?:${innerKeys.join('|')})$`) } },
  });
  const script = `(()=>{${withArrows(inlined.code ?? '', parseSync)}})()`;
  return (await minify('page.js', script, { compress: true, mangle: true })).code;
}

/** Those at the top that need no `this` of their own. One that is called before its place fails as the script starts. */
function withArrows(code: string, parse: typeof parseSync): string {
  let text = '';
  let end = 0;
  for (const node of parse('page.js', code).program.body) {
    if (node.type !== 'FunctionDeclaration' || node.body === null || node.generator) continue;
    if (/\b(?:this|arguments)\b/.test(code.slice(node.start, node.end))) continue;
    const [first, last] = [node.params[0], node.params.at(-1)];
    const params = first && last ? code.slice(first.start, last.end) : '';
    const head = `const ${node.id?.name}=${node.async ? 'async' : ''}(${params})=>`;
    text += `${code.slice(end, node.start)}${head}${code.slice(node.body.start, node.end)};`;
    end = node.end;
  }
  return text + code.slice(end);
}
