import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import { isCallable } from '../validate/defaults.ts';
import { docComment, typeOf } from './schema-type.ts';

/** TypeScript types of a map's callable tools: an input and an output each, and a table of all. */
export function types(map: Manifest): string {
  const named = nameTools(map.tools.filter(isCallable));
  const declarations = named.flatMap(({ tool, name }) => [
    `${docComment(tool.description)}\nexport type ${name}Input = ${typeOf(tool.input_schema)};`,
    `export type ${name}Output = ${typeOf(tool.x_actions?.result_schema)};`,
  ]);
  const entries = named.map(
    ({ tool, name }) =>
      `  readonly ${JSON.stringify(tool.name)}: { readonly input: ${name}Input; readonly output: ${name}Output };`,
  );
  const all = `/** Every tool that an agent may call, by name. */\nexport interface Tools {\n${entries.join('\n')}\n}`;
  return `${['// Written by `drawbridge map types`. Do not edit.', ...declarations, all].join('\n\n')}\n`;
}

/** `cart.add` becomes CartAdd; a second tool with that result becomes CartAdd2. */
function nameTools(tools: readonly Tool[]): { readonly tool: Tool; readonly name: string }[] {
  const taken = new Map<string, number>();
  return tools.map((tool) => {
    const name = tool.name
      .split(/[._-]/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('');
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return { tool, name: count === 1 ? name : `${name}${count}` };
  });
}
