// Runs on any Node >= 20: built-ins only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, root } from './setup.mjs';

const USAGE = `node scripts/lockfile.mjs            add to the lockfile the builds for other platforms that npm left out
node scripts/lockfile.mjs --check    say which are missing, and fail if any is

npm forgets a package's builds for other platforms when its registry does not offer them, and then
"npm ci" refuses the lockfile everywhere. Run this after npm install.`;

const OPERATING_SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** Platform of a build, from its name: `@biomejs/cli-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.filter((word) => words.includes(word));
  const cpu = PROCESSORS.filter((word) => words.includes(word));
  const libc = Object.keys(LIBRARIES)
    .filter((word) => words.includes(word))
    .map((word) => LIBRARIES[word]);
  const named = Object.entries({ cpu, libc, os }).filter(([, values]) => values.length > 0);
  return Object.fromEntries(named);
}

/** Exact optional dependencies that the lockfile names without an entry. */
function missingBuilds(packages) {
  return Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name, version]) =>
          /^\d/.test(version) &&
          !Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)),
      )
      .map(([name, version]) => [
        `node_modules/${name}`,
        { version, ...platformOf(name), ...(dev && { dev }), optional: true },
      ]),
  );
}

await main((args) => {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  let code = 0;
  for (const folder of ['', 'bench', 'conformance']) {
    const file = join(root, folder, 'package-lock.json');
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    const missing = missingBuilds(lock.packages);
    if (missing.length === 0) continue;
    const where = join(folder, 'package-lock.json');
    if (args.includes('--check')) {
      console.error(
        `${where} lacks ${missing.length} builds for other platforms: run node scripts/lockfile.mjs`,
      );
      code = 1;
    } else {
      const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
      lock.packages = Object.fromEntries(packages.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
      writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
      console.log(`${where}: added ${missing.length} builds for other platforms`);
    }
  }
  return code;
});
