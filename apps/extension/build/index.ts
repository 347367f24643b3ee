import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  access,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join, relative } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Mode } from './manifest.ts';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['bridge', 'brain', 'link', 'manifest', 'page', 'protocol', 'runtime', 'ui'];
const OWN = ['src', 'build', 'public', 'package.json', 'wxt.config.ts'];
const KEPT_BUILDS = 6;
const LOOK_EVERY_MS = 200;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Folder of the unpacked extension, whose pages show `command` as the way to call Drawbridge. */
export async function buildExtension({
  mode = 'production',
  command = 'drawbridge',
}: {
  readonly mode?: Mode;
  readonly command?: string;
} = {}): Promise<string> {
  const built = await buildOnce(mode);
  return command === 'drawbridge' ? built : withCommand(built, command);
}

/** A copy beside the build. */
async function withCommand(built: string, command: string): Promise<string> {
  const folder = `${built}-${createHash('sha256').update(command).digest('hex').slice(0, 16)}`;
  if (await isThere(folder)) return folder;
  const making = `${folder}-${randomUUID()}`;
  try {
    await cp(built, making, { recursive: true });
    for (const page of COMMAND_PAGES) {
      const file = join(making, page);
      await writeFile(file, namingCommand(await readFile(file, 'utf8'), command));
    }
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return folder;
}

const COMMAND_PAGES = ['options.html', 'welcome.html'];
const COMMAND_TAG = '<meta name="drawbridge-command" content="drawbridge"';

function namingCommand(page: string, command: string): string {
  if (!page.includes(COMMAND_TAG)) throw new Error('A page of the extension has no place for the command.');
  const escaped = command.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return page.replace(COMMAND_TAG, () => COMMAND_TAG.replace('"drawbridge"', () => `"${escaped}"`));
}

/** Built once per source hash. */
async function buildOnce(mode: Mode): Promise<string> {
  const cache = join(ROOT, '.cache');
  const folder = join(cache, `${mode}-${await sourceHash()}`);
  const built = join(folder, 'chrome');
  if (await isThere(join(built, 'manifest.json'))) return built;
  await mkdir(cache, { recursive: true });
  const lock = join(cache, `making-${mode}.lock`);
  // Test files start together: one builds, the others wait.
  while (!(await takeLock(lock))) {
    await setTimeout(LOOK_EVERY_MS);
    if (await isThere(join(built, 'manifest.json'))) return built;
  }
  const making = join(cache, `making-${randomUUID()}`);
  try {
    await runBuild(making, mode);
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await Promise.all([rm(making, { recursive: true, force: true }), rm(lock, { force: true })]);
  }
  await removeOldest(cache);
  return built;
}

/** Ignores a lock of a process that is gone. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Builds the store's zip file, without a cache. */
export async function zipExtension(
  outDir: string,
  { mode = 'store' }: { readonly mode?: Mode } = {},
): Promise<string> {
  const making = join(ROOT, '.cache', `making-${randomUUID()}`);
  const file = join(outDir, 'drawbridge.zip');
  try {
    await runBuild(making, mode, 'zip');
    await mkdir(outDir, { recursive: true });
    await copyFile(join(making, 'drawbridge.zip'), file);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return file;
}

async function runBuild(outDir: string, mode: Mode, form: 'folder' | 'zip' = 'folder'): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('./build-program.ts'));
  const child = spawn(
    execPath,
    ['--disable-warning=ExperimentalWarning', program, ROOT, outDir, mode, form],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The extension could not be built:\n${said.trim()}`);
}

/** Independent of the sources' location. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const packages = PACKAGES.map((name) => join(ROOT, '../../packages', name, 'src'));
  const places = [...OWN.map((name) => join(ROOT, name)), ...packages];
  const files = (await Promise.all(places.map(filesIn))).flat().toSorted();
  const texts = await Promise.all(files.map((file) => readFile(file)));
  files.forEach((file, at) => {
    hash.update(`${relative(ROOT, file)}\0`).update(texts[at] ?? '');
  });
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(folder: string): Promise<string[]> {
  if (!(await stat(folder)).isDirectory()) return [folder];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Removes old builds, except the last few that tests may still use. */
async function removeOldest(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => !name.startsWith('making-'));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(cache, name))).mtimeMs })),
  );
  const old = dated.toSorted((a, b) => b.at - a.at).slice(KEPT_BUILDS);
  await Promise.all(old.map(({ name }) => rm(join(cache, name), { recursive: true, force: true })));
}

export { MODES, type Mode } from './manifest.ts';
