import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TOOLS } from '@drawbridge/mcp';
import { ERROR_CODES } from '@drawbridge/protocol';
import { PRIMITIVES } from '@drawbridge/protocol/primitives';
import { COMMANDS } from 'drawbridge/commands';
import { wordsOf } from 'drawbridge/completion-words';

const USAGE = `node scripts/interface.ts [FILE]    the structure of everything that others build on, as JSON without prose:
                                    diff two of them to see whether a change breaks anybody`;

const ROOT = join(import.meta.dirname, '..');
const PROSE = new Set([
  'description',
  'summary',
  'title',
  'meaning',
  'example',
  'examples',
  '$comment',
  'info',
  'tags',
]);

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readJson = (path: string): unknown => JSON.parse(readText(path));

/** Drops prose and sorts keys. A property named `title` is a field and stays. */
function structureOf(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => structureOf(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !PROSE.has(key))
      .map(([key, item]) => [key, structureOf(item, !isNames && key === 'properties')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

/** Every export of a file, followed through `export … from`. */
function exportsOf(path: string): string[] {
  const text = readText(path).replace(/\/\*[\s\S]*?\*\//g, '');
  const names = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((item) => /(\w+)\s*$/.exec(item.trim())?.[1] ?? []),
  );
  const declared = [
    ...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
  ].flatMap(([, name]) => name ?? []);
  const others = [...text.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, from = '']) =>
    exportsOf(resolved(path, from)),
  );
  return [...new Set([...names, ...declared, ...others])].toSorted();
}

function resolved(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, name = '', ...rest] = specifier.split('/');
  const { exports } = trustManifest(readJson(`packages/${name}/package.json`));
  const target = exports[['.', ...rest].join('/')];
  if (typeof target !== 'string') throw new Error(`${specifier} is not in the exports of packages/${name}.`);
  return join('packages', name, target);
}

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
}

function trustManifest(value: unknown): Manifest {
  return value as Manifest;
}

export function readInterface(): unknown {
  const library = trustManifest(readJson('packaging/package.json')).exports;
  const entries = Object.keys(library).filter((name) => /^\.\/\w+$/.test(name));
  return structureOf(
    {
      http: readJson('docs/reference/openapi.json'),
      sockets: readJson('docs/reference/asyncapi.json'),
      map: readJson('docs/schema/actions.v1.json'),
      error_codes: ERROR_CODES,
      primitives: Object.fromEntries(
        PRIMITIVES.map(({ name, input_schema, output_schema }) => [name, { input_schema, output_schema }]),
      ),
      tools: Object.fromEntries(
        TOOLS.map(({ name, input_schema, annotations }) => [name, { input_schema, annotations }]),
      ),
      commands: Object.fromEntries(wordsOf(COMMANDS).map(({ name, flags }) => [name, flags.toSorted()])),
      library: Object.fromEntries(
        entries.map((name) => [name, exportsOf(`packaging/entries/${name.slice(2)}.ts`)]),
      ),
      library_files: Object.keys(library),
    },
    true,
  );
}

const [file] = process.argv.slice(2);
const text = (): string => `${JSON.stringify(readInterface(), null, 2)}\n`;
if (file === '--help') console.log(USAGE);
else if (file === undefined) process.stdout.write(text());
else writeFileSync(file, text());
