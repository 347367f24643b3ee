import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Bundle {
  readonly code: string;
  readonly gzipBytes: number;
}

const REPOSITORY = join(import.meta.dirname, '../../../..');
const SOURCES = [
  'packages/base/src',
  'packages/link/src',
  'packages/page/src',
  'packages/protocol/src',
  'packages/runtime/src',
  'packages/manifest/src',
];

interface Entry {
  /** Below `packages`. */
  readonly file: string;
  /** The global that holds the script's exports. */
  readonly name?: string;
}

/** For a document: page code and the page side of every primitive, at `Symbol.for('drawbridge.page')`. */
export const surfaceScript = (): Promise<Bundle> => bundled({ file: 'page/src/calls/inject.ts' });

/** For the owner of a page: `drawbridge.startEmbed(…)`. */
export const embedScript = (): Promise<Bundle> =>
  bundled({ file: 'runtime/src/hosts/embed/index.ts', name: 'drawbridge' });

/** The worker in which an embed evaluates a map's expressions. */
export const evaluatorScript = (): Promise<Bundle> =>
  bundled({ file: 'runtime/src/hosts/embed/evaluator-worker.ts' });

const bundling = new Map<string, Promise<Bundle>>();

/** Bundles once per state of the sources; later starts read the cached file. */
function bundled(entry: Entry): Promise<Bundle> {
  const known = bundling.get(entry.file) ?? readOrBuild(entry);
  bundling.set(entry.file, known);
  return known;
}

async function readOrBuild(entry: Entry): Promise<Bundle> {
  const file = join(REPOSITORY, '.cache/runtime', `${await sourceHash(entry)}.js`);
  const code = (await readFile(file, 'utf8').catch(() => undefined)) ?? (await buildInto(file, entry));
  return { code, gzipBytes: gzipSync(code, { level: 9 }).length };
}

async function sourceHash(entry: Entry): Promise<string> {
  const hash = createHash('sha256').update(entry.file);
  const folders = await Promise.all(SOURCES.map((folder) => sourcesIn(join(REPOSITORY, folder))));
  for (const file of [join(REPOSITORY, 'package-lock.json'), ...folders.flat().sort()]) {
    hash.update(relative(REPOSITORY, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Writes to a temporary file and renames it, so that concurrent starts both see a complete file. */
async function buildInto(file: string, entry: Entry): Promise<string> {
  const code = await buildScript(join(REPOSITORY, 'packages', entry.file), entry.name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, code);
  await rename(`${file}.${process.pid}`, file);
  return code;
}

/** Bundles a module and its imports into one classic script, without a cache. Exports are at the global `name`. */
export async function buildScript(input: string, name?: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ input, platform: 'browser', tsconfig: false });
  const { output } = await build.generate({
    format: 'iife',
    minify: true,
    ...(name !== undefined && { name }),
  });
  await build.close();
  return output[0].code;
}
