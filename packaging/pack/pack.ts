import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeAssets } from './assets.ts';
import { billOfMaterials, licenceList } from './bill.ts';
import { browserModules } from './browser-parts.ts';
import { writeDeclarations } from './declarations.ts';
import { ROOT } from './places.ts';
import { buildProgram } from './program.ts';
import { type ThirdParty, thirdPartyOf } from './third-party.ts';

const run = promisify(execFile);

export interface Packed {
  /** The packed folder, and the archive made of it. */
  readonly folder: string;
  readonly tarball: string;
  readonly tarballBytes: number;
  readonly folderBytes: number;
  readonly carried: readonly ThirdParty[];
}

/** Builds the npm package in `dist`, as a folder and as an archive. */
export async function pack(dist: string): Promise<Packed> {
  const folder = join(dist, 'drawbridge');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [program, browser] = await Promise.all([
    buildProgram(join(folder, 'lib')),
    browserModules(),
    writeAssets(join(folder, 'assets')),
    writeTypes(join(folder, 'types')),
    cp(join(ROOT, 'packaging/bin'), join(folder, 'bin'), { recursive: true }),
    copyFile(join(ROOT, 'packaging/README.md'), join(folder, 'README.md')),
    copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE')),
  ]);
  const { name, version } = await writeManifest(folder);
  const carried = await thirdPartyOf({ program, browser });
  await writeFile(join(folder, 'sbom.cdx.json'), billOfMaterials(name, version, carried));
  await writeFile(join(folder, 'LICENCES.txt'), licenceList(carried));
  await run('npm', ['pack', folder, '--pack-destination', dist, '--silent']);
  const tarball = join(dist, `${name}-${version}.tgz`);
  return {
    ...{ folder, tarball, carried },
    tarballBytes: (await stat(tarball)).size,
    folderBytes: await bytesIn(folder),
  };
}

/** Our package.json without what only packing needs; the version is the CLI's. */
async function writeManifest(folder: string): Promise<{ readonly name: string; readonly version: string }> {
  const read = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'));
  const { devDependencies: _, private: __, ...template } = await read('packaging/package.json');
  const { version } = await read('apps/cli/package.json');
  const manifest = { ...template, version };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function writeTypes(types: string): Promise<void> {
  const tsc = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'packaging'], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  // Type errors are left to `npm run check`: tsc writes the declarations either way.
  await once(tsc, 'close');
  await writeDeclarations(['relay', 'bridge', 'runtime', 'manifest', 'client'], types);
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, one) => sum + one, 0);
}
