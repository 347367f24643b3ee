import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './places.ts';

const TYPES = join(ROOT, '.cache/types');
/** TypeScript projects of a package. */
const PROJECTS = ['', '-node', '-models', '-browser', '-bundle'];
/** A dependency whose types are part of ours: copied, since the installed package does not have it. */
const CARRIED = 'typebox';
const NAMED = /(\bfrom\s*|\bimport\(\s*|^import\s+)(['"])([^'"]+)\2/gm;

const { resolve } = createRequire(join(ROOT, 'packaging/package.json'));

/**
 * Copies the declarations that the entries reach, as `tsc -b packaging` wrote them, and makes every import
 * relative.
 */
export async function writeDeclarations(entries: readonly string[], types: string): Promise<number> {
  const seen = new Set<string>();
  const take = async (source: string): Promise<void> => {
    if (seen.has(source)) return;
    seen.add(source);
    const text = await readFile(declarationOf(source), 'utf8');
    const reached: string[] = [];
    const made = text.replace(NAMED, (whole, before: string, quote: string, name: string) => {
      const found = sourceOf(name, source);
      if (found === undefined) return whole;
      reached.push(found);
      const path = relative(dirname(placeOf(source)), placeOf(found)).replace(/\.d\.(m?)ts$/, '.$1js');
      return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    const file = join(types, placeOf(source));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, made);
    await Promise.all(reached.map(take));
  };
  await Promise.all(entries.map((name) => take(join(ROOT, 'packaging/entries', `${name}.ts`))));
  return seen.size;
}

/** The TypeScript file for our modules, the declarations for the copied dependency; undefined for others. */
function sourceOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return join(dirname(from), name).replace(/\.mjs$/, '.d.mts');
  if (name.startsWith('@drawbridge/')) return realpathSync(resolve(name));
  if (name !== CARRIED && !name.startsWith(`${CARRIED}/`)) return undefined;
  return resolve(name).replace(/\.mjs$/, '.d.mts');
}

const isCarried = (source: string): boolean => source.includes('/node_modules/');

function declarationOf(source: string): string {
  if (isCarried(source)) return source;
  const path = placeOf(source);
  if (path.startsWith('packaging/')) return join(TYPES, path);
  const [, room = '', ...rest] = path.split('/');
  const found = PROJECTS.map((suffix) => join(TYPES, `${room}${suffix}`, ...rest)).find(existsSync);
  if (found === undefined) throw new Error(`${path} was not written by tsc -b.`);
  return found;
}

/** Path in the package's folder of types. */
const placeOf = (source: string): string =>
  isCarried(source)
    ? source.replace(/^.*\/node_modules\//, 'others/')
    : relative(ROOT, source).replace(/\.tsx?$/, '.d.ts');
