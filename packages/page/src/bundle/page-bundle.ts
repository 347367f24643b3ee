import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { leanLibraries } from './lean-libraries.ts';
import { MODULE_ORDER } from './module-order.ts';
import { tightScript } from './tight-script.ts';

/** For every other bundle with page code. */
export { leanLibraries, tightScript };

export interface PageBundle {
  /** One script to evaluate in a page, which sets `globalThis[Symbol.for('drawbridge.page')]`. */
  readonly code: string;
  readonly gzipBytes: number;
}

const REPOSITORY = join(import.meta.dirname, '../../../..');
const ENTRY = fileURLToPath(new URL('../inject.ts', import.meta.url));
const SOURCES = ['packages/page/src', 'packages/protocol/src'];

/**
 * Keys of internal objects only: scenes and other contexts, and values that a library passes to itself. Never
 * list a key of an answer, option, notice or error, nor one that the browser reads.
 */
const INNER_KEYS = `achieved act acted actedId anchorOf attr belongs boost candidate clean cleaner clock coveredBy
  documents drain eachTree elementOf fingerprintOf foreignFrames found frameNumberOf fromNow fromPlace hooks
  idName idOf include inFlight inView inViewOnly isAlone isEmbeddedInLabel isEmpty isFeed isMet isRedrawn
  isReferenced isStill isSubject keep landing lastFinishedAt lastMutationAt lastsMs lastTouch learn
  listenerHint listens looks loudness matchesPattern maxNumberOfPathChecks missed moment names neighbours
  network note observation onActivity onElement onLook onPress onRestart outOfSight own penalty place places
  points prepare pressable ready recall recognise recursion registry relevance remember report reported
  retarget scene score scrolls secrets seen seenAt settle shadowRootOf shortfall sightings stepMark tell texts
  toPlace visit wasThere watch words workplace`;

let bundling: Promise<PageBundle> | undefined;

/** Bundles once per state of the sources; later starts read the cached file. */
export function pageBundle(): Promise<PageBundle> {
  bundling ??= readOrBuild();
  return bundling;
}

async function readOrBuild(): Promise<PageBundle> {
  const file = join(REPOSITORY, '.cache/page', `${await sourceHash()}.js`);
  const code = (await readFile(file, 'utf8').catch(() => undefined)) ?? (await buildInto(file));
  return { code, gzipBytes: gzipSync(code, { level: 9 }).length };
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
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
async function buildInto(file: string): Promise<string> {
  const code = await build();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, code);
  await rename(`${file}.${process.pid}`, file);
  return code;
}

async function build(): Promise<string> {
  const [{ rolldown }, { tightScript }] = await Promise.all([
    import('rolldown'),
    import('./tight-script.ts'),
  ]);
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    tsconfig: false,
    plugins: [leanLibraries()],
    // Reading a property has no side effects in our code or our libraries.
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
  });
  const { output } = await bundle.generate({ format: 'esm', comments: false });
  await bundle.close();
  return tightScript(output[0].code, { innerKeys: INNER_KEYS.split(/\s+/), order: MODULE_ORDER });
}
