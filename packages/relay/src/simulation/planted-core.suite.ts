import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreateCore } from './relay-process.suite.ts';

/** A mistake that somebody could make in a file of the core: texts of it, and what stands there instead. */
export interface Plant {
  readonly name: string;
  readonly file: string;
  readonly changes: readonly (readonly [find: string, replace: string])[];
}

const SOURCES = join(import.meta.dirname, '..');
const GARDEN = join(import.meta.dirname, '../../.cache/plants');

/** A copy of the core with the mistake in it; `remove` when it is no longer needed. */
export async function plantBug({ name, file, changes }: Plant) {
  await mkdir(GARDEN, { recursive: true });
  const folder = await mkdtemp(join(GARDEN, `${name.replaceAll(/\W+/g, '-')}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const isSource = (path: string) => !/\.(test|suite)\.ts$/.test(path);
  await cp(join(SOURCES, 'core'), join(folder, 'core'), { recursive: true, filter: isSource });
  await symlink(join(SOURCES, 'ledger'), join(folder, 'ledger'));
  const path = join(folder, 'core', file);
  let source = await readFile(path, 'utf8');
  for (const [find, replace] of changes) {
    if (!source.includes(find)) {
      throw new Error(`core/${file} has changed: "${find}" is not in it. Plant "${name}" anew.`);
    }
    source = source.replace(find, () => replace);
  }
  await writeFile(path, source);
  const { createRelayCore } = parseCore(await import(join(folder, 'core/relay-core.ts')));
  const { createBranchCore } = parseCore(await import(join(folder, 'core/branch-core.ts')));
  return { createCore: createRelayCore, createBranch: createBranchCore, remove };
}

/** The same modules as the real ones, but for the mistake. */
type Planted = { readonly createRelayCore: CreateCore; readonly createBranchCore: CreateCore };

function parseCore(module: object): Planted {
  return module as Planted;
}
