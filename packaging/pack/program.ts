import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { packagePlaces, ROOT } from './places.ts';

const entry = (name: string): string => join(ROOT, 'packaging/entries', `${name}.ts`);

const INPUT = {
  cli: join(ROOT, 'apps/cli/src/main.ts'),
  relay: entry('relay'),
  bridge: entry('bridge'),
  runtime: entry('runtime'),
  manifest: entry('manifest'),
  client: entry('client'),
};

/** Optional dependencies of dependencies, which work without them. */
const OPTIONAL = ['bufferutil', 'utf-8-validate', 'canvas'];
const BUILTIN = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));

/** Bundles everything that runs in Node into one flat folder; returns the modules in it. */
export async function buildProgram(dir: string): Promise<readonly string[]> {
  const foreign = new Set<string>();
  const bundle = await rolldown({
    input: INPUT,
    cwd: ROOT,
    platform: 'node',
    tsconfig: false,
    // The `main` of some packages hides its imports from bundlers.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [packagePlaces()],
    external: (id) => BUILTIN.has(id) || id.startsWith('node:') || OPTIONAL.includes(id),
    onLog(level, log, pass) {
      if (log.code === 'UNRESOLVED_IMPORT') foreign.add(log.message);
      else if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') pass(level, log);
    },
  });
  const made = await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Keeps names and lines: Node prints the line of an uncaught error, and its stack must be readable.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    comments: false,
  });
  await bundle.close();
  if (foreign.size > 0)
    throw new Error(`The package would miss what it imports:\n${[...foreign].join('\n')}`);
  return modulesOf(made);
}

/** Modules that are still in the output after tree shaking. */
export const modulesOf = ({ output }: RolldownOutput): readonly string[] =>
  output.flatMap((file) =>
    file.type === 'chunk'
      ? Object.entries(file.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
      : [],
  );
