import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

export const ROOT = join(import.meta.dirname, '../..');

/** Modules that build from sources, and their replacements that read prebuilt files. */
const STANDINS: Readonly<Record<string, string>> = {
  'apps/web/serve/built-files.ts': 'packaging/prebuilt/built-files.ts',
  'apps/extension/build/index.ts': 'packaging/prebuilt/extension.ts',
  'apps/demo-shop/src/client-bundle.ts': 'packaging/prebuilt/client-bundle.ts',
  'packages/runtime/src/bundle/runtime-bundle.ts': 'packaging/prebuilt/runtime-bundle.ts',
};

/**
 * Files and folders that the program names by path: in the repository, and relative to `lib` in the package.
 */
export const FILES: Readonly<Record<string, string>> = {
  'apps/cli/bin/drawbridge.mjs': '../bin/drawbridge.cjs',
  'docs/reference': '../assets/reference/',
  'packages/ledger/src/postgres/migrations': '../assets/migrations/',
  'maps/agents': '../assets/maps/agents',
  'maps/shop/actions.json': '../assets/maps/shop/actions.json',
  'apps/demo-shop/src/styles': '../assets/shop/styles',
};

/** Dependencies find their own files; replacement modules know the package. */
const NOT_MOVED = /\/node_modules\/|\/packaging\/prebuilt\//;
const BY_URL = /new URL\(\s*(['"])(\.[^'"]+)\1,\s*import\.meta\.url\s*\)/g;
const IN_FOLDER = /new URL\(\s*`(\.[^`$]+\/)\$\{(\w+)\}`,\s*import\.meta\.url\s*\)/g;
const BY_FOLDER = /join\(import\.meta\.dirname,\s*(['"])([^'"]+)\1\)/g;
const PLACE = /\bimport\.meta\.(?:url|dirname|filename|resolve)\b/;

/**
 * Bundling moves modules, so paths relative to them change: an entry of a thread or a program becomes a file
 * beside the bundle, a known file gets its path in the package, and any other use of a module's path fails
 * the packing.
 */
export function packagePlaces(): Plugin {
  return {
    name: 'package-places',
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const standin = found === null ? undefined : STANDINS[relative(ROOT, found.id)];
      return standin === undefined ? found : { id: join(ROOT, standin) };
    },
    transform(code, id) {
      if (!id.startsWith(ROOT) || NOT_MOVED.test(id) || !code.includes('import.meta')) return;
      if (PLACE.test(code.replace(BY_URL, '').replace(IN_FOLDER, '').replace(BY_FOLDER, '')))
        throw new Error(`${relative(ROOT, id)} asks where it lies: see STANDINS.`);
      const placed = (name: string): string => {
        const path = resolve(dirname(id), name);
        if (!name.endsWith('.ts')) return placeOf(path);
        this.emitFile({ type: 'chunk', id: path, fileName: entryName(path) });
        return `./${entryName(path)}`;
      };
      return code
        .replace(BY_URL, (_, _quote, name: string) => `new URL('${placed(name)}', import.meta.url)`)
        .replace(
          IN_FOLDER,
          (_, name: string, file: string) => `new URL(\`${placed(name)}\${${file}}\`, import.meta.url)`,
        )
        .replace(BY_FOLDER, (_, _quote, name: string) => `join(import.meta.dirname, '${placed(name)}')`);
    },
  };
}

/** `store-thread.js`; `scripted-agent.js` of `scripted-agent/main.ts`. */
const entryName = (path: string): string =>
  `${basename(path) === 'main.ts' ? basename(dirname(path)) : basename(path, '.ts')}.js`;

function placeOf(path: string): string {
  const place = FILES[relative(ROOT, path)];
  if (place === undefined) throw new Error(`${relative(ROOT, path)} is in no package: see FILES.`);
  return place;
}
