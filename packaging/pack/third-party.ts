import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './places.ts';

export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Text of its licence file; empty if it has none. */
  readonly text: string;
  /** `program`: runs in Node. `browser`: in the web app, the extension or a page. */
  readonly parts: readonly string[];
  /** Named by one of our packages. */
  readonly direct: boolean;
}

/** The third-party packages of these modules, by name and version. */
export async function thirdPartyOf(
  modules: Readonly<Record<string, readonly string[]>>,
): Promise<readonly ThirdParty[]> {
  const named = await namedDependencies();
  const found = new Map<string, ThirdParty>();
  for (const [part, ids] of Object.entries(modules)) {
    for (const folder of new Set(ids.flatMap(folderOf))) {
      const { name, version, licence } = parseManifest(await readFile(join(folder, 'package.json'), 'utf8'));
      // The same version may be in several folders.
      const key = `${name}@${version}`;
      const parts = new Set(found.get(key)?.parts).add(part);
      const text = found.get(key)?.text || (await licenceText(folder));
      found.set(key, { name, version, licence, text, parts: [...parts].sort(), direct: named.has(name) });
    }
  }
  return [...found.values()].sort(
    (a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'),
  );
}

/** `…/node_modules/@scope/name` of a module in it. */
function folderOf(id: string): string[] {
  const path = id.replace(/^\0/, '').replaceAll('\\', '/');
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  return found === undefined ? [] : [found];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

function parseManifest(text: string): Manifest {
  const { name, version, license } = JSON.parse(text);
  return { name, version, licence: typeof license === 'string' ? license : (license?.type ?? 'unknown') };
}

async function licenceText(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^licen[cs]e/i.test(name)).sort();
  const [first] = names;
  return first === undefined ? '' : (await readFile(join(folder, first), 'utf8')).trim();
}

/** Dependencies in our package.json files. */
async function namedDependencies(): Promise<ReadonlySet<string>> {
  const folders = await Promise.all(
    ['packages', 'apps'].map(async (folder) =>
      (await readdir(join(ROOT, folder), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(ROOT, folder, name, 'package.json')),
    ),
  );
  const texts = await Promise.all(folders.flat().map((file) => readFile(file, 'utf8')));
  return new Set(texts.flatMap((text) => Object.keys(JSON.parse(text).dependencies ?? {})));
}
