import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';

/** One script per page that needs one; each is a file in client/. */
const CLIENT_SCRIPTS = {
  shell: 'shell.ts',
  search: 'search.tsx',
  cart: 'cart.tsx',
  checkout: 'checkout.tsx',
  login: 'login.ts',
  card: 'card.ts',
  toasts: 'toasts.ts',
  rows: 'rows.ts',
  shadow: 'shadow.ts',
  upload: 'upload.ts',
  dialogs: 'dialogs.ts',
  canvas: 'canvas.ts',
  slow: 'slow.ts',
  frames: 'frames.ts',
  listeners: 'listeners.tsx',
  strict: 'strict.ts',
  hostile: 'hostile.ts',
};

export type ClientBundle = { hash: string; files: ReadonlyMap<string, Buffer<ArrayBuffer>> };

const SHOP_FOLDER = import.meta.dirname;
const REPOSITORY = join(SHOP_FOLDER, '../../..');

/** Bundled once per version of the sources, then read from disk. */
export async function readClientBundle(more: Readonly<Record<string, string>> = {}): Promise<ClientBundle> {
  const hash = await sourceHash(Object.values(more));
  const folder = join(REPOSITORY, '.cache/shop', hash);
  const names = (await fileNames(folder)) ?? (await bundleInto(folder, more));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))] as const),
  );
  return { hash, files: new Map(files) };
}

async function sourceHash(more: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(SHOP_FOLDER, { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile() && ['.ts', '.tsx'].includes(extname(entry.name)))
    .filter((entry) => !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of [join(REPOSITORY, 'package-lock.json'), ...sources, ...more]) {
    hash.update(relative(REPOSITORY, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function fileNames(folder: string): Promise<string[] | undefined> {
  return readdir(folder).catch(() => undefined);
}

/** Built beside its final path and renamed, so that two shops starting at once both see a complete folder. */
async function bundleInto(folder: string, more: Readonly<Record<string, string>>): Promise<string[]> {
  await mkdir(dirname(folder), { recursive: true });
  const building = await mkdtemp(`${folder}.`);
  const { rolldown } = await import('rolldown');
  const own = Object.entries(CLIENT_SCRIPTS).map(([name, file]) => [name, join(SHOP_FOLDER, 'client', file)]);
  const bundle = await rolldown({
    input: { ...Object.fromEntries(own), ...more },
    platform: 'browser',
    tsconfig: false,
    transform: {
      jsx: { runtime: 'automatic' },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
  });
  await bundle.write({
    dir: building,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  await rename(building, folder).catch(() => rm(building, { recursive: true }));
  return readdir(folder);
}
