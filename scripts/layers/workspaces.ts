import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One workspace on disk. */
export interface Workspace {
  /** Name without its scope: `protocol` of `@drawbridge/protocol`. */
  readonly name: string;
  readonly folder: string;
  readonly dependencies: readonly string[];
  readonly references: readonly string[];
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly sources: readonly SourceFile[];
}

export interface Workspaces {
  readonly workspaces: readonly Workspace[];
  /** Outside every workspace: tests of the whole, benchmarks, tools. */
  readonly others: readonly SourceFile[];
  readonly biome: Readonly<Record<string, unknown>>;
}

const SCOPE = '@drawbridge/';
const SOURCE = /\.(ts|tsx|mts|mjs|js)$/;
const OTHERS = ['bench', 'conformance', 'docs', 'e2e', 'examples', 'maps', 'packaging', 'scripts'];
const NOT_OURS = new Set(['node_modules', 'generated', 'dist', '.cache', 'fixtures']);

export function readWorkspaces(root: string): Workspaces {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    listFolders(join(root, parent)).map((name) => join(root, parent, name)),
  );
  if (existsSync(join(root, 'testbed/package.json'))) folders.push(join(root, 'testbed'));
  return {
    workspaces: folders.map((folder) => readRoom(root, folder)),
    others: OTHERS.map((name) => join(root, name))
      .filter(existsSync)
      .flatMap((folder) => readSources(root, folder)),
    biome: readJson(join(root, 'biome.json')),
  };
}

function readRoom(root: string, folder: string): Workspace {
  const manifest = readJson(join(folder, 'package.json'));
  const config = readJson(join(folder, 'tsconfig.json'));
  return {
    name: shortName(String(manifest['name'])),
    folder: relative(root, folder).replaceAll('\\', '/'),
    dependencies: Object.keys(asObject(manifest['dependencies'])).filter(isOurs).map(shortName),
    references: asList(config['references']).map((reference) =>
      lastPart(String(asObject(reference)['path'])),
    ),
    compilerOptions: asObject(config['compilerOptions']),
    sources: readSources(root, folder),
  };
}

const readSources = (root: string, folder: string): SourceFile[] =>
  listSources(folder).map((path) => ({
    path: relative(root, path).replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }));

export const isOurs = (name: string): boolean => name.startsWith(SCOPE);

/** `protocol` of `@drawbridge/protocol/catalog`; the CLI's package has no scope. */
export function shortName(name: string): string {
  if (isOurs(name)) return name.slice(SCOPE.length).split('/')[0] ?? '';
  return name === 'drawbridge' ? 'cli' : name;
}

/** `manifest` of `../manifest` and of `../manifest/tsconfig.node.json`. */
const lastPart = (path: string): string =>
  path
    .replace(/\/[^/]+\.json$/, '')
    .split('/')
    .at(-1) ?? '';

function listFolders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent).filter((name) => existsSync(join(parent, name, 'package.json')));
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : listSources(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function readJson(path: string): Record<string, unknown> {
  return existsSync(path) ? asObject(JSON.parse(readFileSync(path, 'utf8'))) : {};
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
