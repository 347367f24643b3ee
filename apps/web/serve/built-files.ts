import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { sourceHash } from './source-hash.ts';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['@drawbridge/ui', '@drawbridge/link/chat', '@drawbridge/protocol'];

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Folder of the built app: shipped with an installation, or built once from source. */
export async function builtFiles(): Promise<string> {
  if (!(await isThere(join(ROOT, 'src')))) return join(ROOT, 'dist');
  const sources = [join(ROOT, 'src'), join(ROOT, 'public'), join(ROOT, 'serve'), ...PACKAGES.map(sourceOf)];
  const version = await sourceHash(sources);
  const cache = join(ROOT, '.cache');
  const folder = join(cache, version);
  if (await isThere(join(folder, 'index.html'))) return folder;
  await mkdir(cache, { recursive: true });
  const making = join(cache, `making-${randomUUID()}`);
  try {
    await runBuild(making, version);
    // Concurrent builds are possible; the second finds identical files in place.
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  await removeOthers(cache, version);
  return folder;
}

/** `…/packages/link/src` of `@drawbridge/link/chat`. */
function sourceOf(name: string): string {
  const path = fileURLToPath(import.meta.resolve(name));
  return path.slice(0, path.lastIndexOf('/src/') + '/src'.length);
}

async function runBuild(outDir: string, version: string): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('./build-program.ts'));
  const child = spawn(execPath, ['--disable-warning=ExperimentalWarning', program, ROOT, outDir, version], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The web app could not be built:\n${said.trim()}`);
}

/** Removes builds of earlier sources. */
async function removeOthers(cache: string, version: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name !== version && !name.startsWith('making-')) {
      await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}
