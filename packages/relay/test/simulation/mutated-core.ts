import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Change, exportsOf, mutate } from '@drawbridge/testbed/mutation';
import type { SendMachine } from '../core/send-checker.ts';
import type { CreateCore } from './relay-process.ts';

/** A bug that could be written into the core. */
export interface Mutant {
  readonly name: string;
  /** Exported by the module to change. A rename of it is a type error here. */
  readonly of: { readonly name: string };
  readonly changes: readonly Change[];
}

interface MutatedCore {
  readonly createCore: CreateCore;
  readonly machine: SendMachine;
  readonly remove: () => Promise<void>;
}

const SOURCES = join(import.meta.dirname, '../../src');
const MUTATED = join(import.meta.dirname, '../../.cache/mutants');

/** Copies the core with one mutant in it; `remove` deletes the copy. */
export async function mutateCore({ name, of, changes }: Mutant): Promise<MutatedCore> {
  await mkdir(MUTATED, { recursive: true });
  const folder = await mkdtemp(join(MUTATED, `${name.replaceAll(/\W+/g, '-')}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const isSource = (path: string) => !/\.test\.ts$/.test(path);
  const core = join(folder, 'core');
  await cp(join(SOURCES, 'core'), core, { recursive: true, filter: isSource });
  await symlink(join(SOURCES, 'ledger'), join(folder, 'ledger'));
  const path = await moduleOf(core, of.name);
  await writeFile(path, mutate(await readFile(path, 'utf8'), changes));
  const { createRelayCore } = trustCore(await import(join(core, 'relay-core.ts')));
  const { stepSend, storedSend } = trustCore(await import(join(core, 'send.ts')));
  return {
    createCore: createRelayCore,
    machine: { stepSend, storedSend },
    remove,
  };
}

async function moduleOf(folder: string, exported: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry));
  const sources = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const found = paths.filter((_, at) => exportsOf(sources[at] ?? '').includes(exported));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${exported} is exported by ${found.length} modules of the core instead of one.`);
  return only;
}

/** The real modules, except for the mutant. */
interface Mutated extends SendMachine {
  readonly createRelayCore: CreateCore;
}

function trustCore(module: object): Mutated {
  return module as Mutated;
}
