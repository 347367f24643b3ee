import { posix } from 'node:path';
import { BOUNDARY_RULES, MAX_SOURCE_LINES, PURE, RANKS } from './ranks.ts';
import {
  asList,
  asObject,
  isOurs,
  type SourceFile,
  shortName,
  type Workspace,
  type Workspaces,
} from './workspaces.ts';

/** Everything that breaks the layering, one sentence each. */
export function violationsIn(workspaces: Workspaces): string[] {
  const folders = workspaces.workspaces.map(({ folder }) => folder);
  const all = [...workspaces.workspaces.flatMap(({ sources }) => sources), ...workspaces.others];
  return [
    ...workspaces.workspaces.flatMap(violationsInRoom),
    ...all.flatMap((source) => [
      ...staysOutside(folders, source),
      ...keepsTestsApart(source),
      ...parsesWhatItSays(source),
    ]),
    ...lintIsOn(workspaces.biome),
  ];
}

function violationsInRoom(room: Workspace): string[] {
  return [
    ...dependenciesPointDown(room),
    ...referencesMatch(room),
    ...staysPure(room),
    ...room.sources.flatMap((source) => [
      ...isShort(source),
      ...keepsLintOn(source),
      ...importsWhatItDeclares(room, source),
    ]),
  ];
}

function dependenciesPointDown({ name, folder, dependencies }: Workspace): string[] {
  const rank = RANKS[name];
  if (rank === undefined) return [`${folder} has no rank: give it one in scripts/layers/ranks.ts.`];
  return dependencies
    .filter((dependency) => !((RANKS[dependency] ?? Number.POSITIVE_INFINITY) < rank))
    .map((dependency) => `${folder} (rank ${rank}) depends on ${dependency} (rank ${RANKS[dependency]}).`);
}

function referencesMatch({ folder, dependencies, references }: Workspace): string[] {
  const missing = dependencies.filter((name) => !references.includes(name));
  const extra = references.filter((name) => !dependencies.includes(name));
  return [
    ...missing.map((name) => `${folder}/tsconfig.json does not reference ${name}, which package.json names.`),
    ...extra.map((name) => `${folder}/tsconfig.json references ${name}, which package.json does not name.`),
  ];
}

function staysPure({ name, folder, compilerOptions }: Workspace): string[] {
  if (!PURE.includes(name)) return [];
  return ['lib', 'types']
    .filter((option) => option in compilerOptions)
    .map((option) => `${folder} is pure: its tsconfig.json must not widen "${option}".`);
}

function isShort({ path, text }: SourceFile): string[] {
  const lines = text.split('\n').length - 1;
  return lines > MAX_SOURCE_LINES ? [`${path} has ${lines} lines; the limit is ${MAX_SOURCE_LINES}.`] : [];
}

const IGNORE = /biome-ignore(?:-all|-start)?\s+lint(\S*)/g;

/** `biome-ignore lint` without a rule, or with a boundary rule or its group, disables the boundary. */
function keepsLintOn({ path, text }: SourceFile): string[] {
  const [groups, rules] = [Object.keys(BOUNDARY_RULES), Object.values(BOUNDARY_RULES).flat()];
  const silencers: readonly string[] = ['', '/', ...groups.map((group) => `/${group}`)];
  return [...text.matchAll(IGNORE)]
    .map(([, what = '']) => what.replace(/:$/, ''))
    .filter((what) => silencers.includes(what) || rules.some((rule) => what.endsWith(`/${rule}`)))
    .map((what) => `${path} switches a boundary rule off (biome-ignore lint${what}).`);
}

const UNCHECKED =
  /^(?:export )?function (parse\w*)(?:(?!^\})[\s\S])*?\{\n {2}return (?:\w+|JSON\.parse\([^()]*\))(?: as unknown)? as [^;]+;\n\}/gm;

/** A function that only casts may not be named like one that checks. */
const parsesWhatItSays = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(UNCHECKED)].map(
    ([, name = '']) => `${path}: ${name} checks nothing. Name it trust${name.slice('parse'.length)}.`,
  );

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g;
const TEST = /\.test\.[a-z]+$|\.config\.ts$|^(?:packages|apps)\/[^/]+\/(?:test|gallery)\//;

const importsIn = (text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, specifier = '']) => specifier);

const targetOf = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier);

/** Repeats the lint rule from the source, so that weakening the lint fails too. */
function importsWhatItDeclares(
  { folder, name, dependencies }: Workspace,
  { path, text }: SourceFile,
): string[] {
  const specifiers = importsIn(text);
  const leaving = specifiers.filter(
    (specifier) => specifier.startsWith('.') && !targetOf(path, specifier).startsWith(`${folder}/`),
  );
  const undeclared = TEST.test(path)
    ? []
    : specifiers
        .filter(isOurs)
        .filter((specifier) => ![name, ...dependencies].includes(shortName(specifier)));
  return [
    ...leaving.map((specifier) => `${path} imports ${specifier}, outside its own package.`),
    ...undeclared.map((specifier) => `${path} imports ${specifier}, which its package.json does not name.`),
  ];
}

/** Paths that a program is started or a file is read by. */
const NAMED_PATH = /(?:new URL\(\s*|import\.meta\.dirname,\s*)['"`](\.[^'"`$]+)/g;
/** Scripts that run before anything is installed, when no package name resolves. */
const BOOTSTRAP = /^scripts\/[^/]+\.mjs$/;

/** Nothing outside a workspace imports from it by path, and nothing names a path into its sources or tests. */
function staysOutside(folders: readonly string[], { path, text }: SourceFile): string[] {
  if (BOOTSTRAP.test(path)) return [];
  const isForeign = (target: string, below: string): boolean =>
    folders.some((folder) => !path.startsWith(`${folder}/`) && target.startsWith(`${folder}/${below}`));
  const isOutside = !folders.some((folder) => path.startsWith(`${folder}/`));
  const imported = importsIn(text).filter(
    (specifier) => isOutside && specifier.startsWith('.') && isForeign(targetOf(path, specifier), ''),
  );
  const named = [...text.matchAll(NAMED_PATH)]
    .map(([, name = '']) => name)
    .filter((name) => ['src/', 'test/'].some((below) => isForeign(targetOf(path, name), below)));
  return [...imported, ...named].map(
    (name) => `${path} reaches ${targetOf(path, name)} by path: import it by its package's name.`,
  );
}

/** Folders that may import test code: tests, benchmarks and the tools of this repository. */
const MAY_USE_TESTS = /^(?:bench|conformance|docs|e2e|maps|scripts|testbed)\//;
const TESTS_ONLY = /^@drawbridge\/testbed(?:\/|$)|^(?:@drawbridge\/[^/]+|drawbridge)\/test\//;

function keepsTestsApart({ path, text }: SourceFile): string[] {
  if (TEST.test(path) || MAY_USE_TESTS.test(path)) return [];
  return importsIn(text)
    .filter(
      (specifier) =>
        TESTS_ONLY.test(specifier) ||
        (specifier.startsWith('.') && /^(?:packages|apps)\/[^/]+\/test\//.test(targetOf(path, specifier))),
    )
    .map((specifier) => `${path} imports ${specifier}, which is for tests only.`);
}

function lintIsOn(biome: Workspaces['biome']): string[] {
  const scopes = [biome, ...asList(biome['overrides']).map(asObject)];
  return Object.entries(BOUNDARY_RULES).flatMap(([group, rules]) =>
    rules.flatMap((rule) =>
      scopes.flatMap((scope, index) => {
        const level = levelOf(scope, group, rule);
        const fine = level === 'error' || (index > 0 && level === undefined);
        return fine ? [] : [`biome.json must keep ${group}/${rule} at "error" everywhere.`];
      }),
    ),
  );
}

function levelOf(scope: Record<string, unknown>, group: string, rule: string): unknown {
  const linter = asObject(scope['linter']);
  if (linter['enabled'] === false) return 'off';
  const setting = asObject(asObject(linter['rules'])[group])[rule];
  return typeof setting === 'object' ? asObject(setting)['level'] : setting;
}
