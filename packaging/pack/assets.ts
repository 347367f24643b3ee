import { copyFile, cp, glob, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildExtension } from '@drawbridge/extension';
import { embedScript, evaluatorScript, surfaceScript } from '@drawbridge/runtime/node';
import { FILES, ROOT } from './places.ts';

const HERE = '../assets/';
/** Leaves out tests and pages for people. */
const isCarried = (path: string): boolean => !/\.(?:ts|md)$|\/messages$/.test(path);

/** Builds everything that the program serves as files, so that nothing is built after installation. */
export async function writeAssets(assets: string): Promise<void> {
  await mkdir(join(assets, 'scripts'), { recursive: true });
  const { builtFiles }: { readonly builtFiles: () => Promise<string> } = await import(
    join(ROOT, 'apps/web/serve/built-files.ts')
  );
  await cp(await builtFiles(), join(assets, 'web'), { recursive: true });
  await cp(await buildExtension(), join(assets, 'extension'), { recursive: true });
  const scripts = { surface: surfaceScript, embed: embedScript, evaluator: evaluatorScript };
  for (const [name, make] of Object.entries(scripts)) {
    await writeFile(join(assets, 'scripts', `${name}.js`), (await make()).code);
  }
  await writeShop(join(assets, 'shop'));
  for await (const map of glob('maps/**/actions.json', { cwd: ROOT })) {
    await put(map, join(assets, map));
  }
  for (const [from, to] of Object.entries(FILES)) {
    if (!to.startsWith(HERE)) continue;
    await cp(join(ROOT, from), join(assets, to.slice(HERE.length)), { recursive: true, filter: isCarried });
  }
}

async function writeShop(shop: string): Promise<void> {
  const {
    readClientBundle,
  }: { readonly readClientBundle: () => Promise<{ readonly files: ReadonlyMap<string, Buffer> }> } =
    await import(join(ROOT, 'apps/demo-shop/src/client-bundle.ts'));
  const { files } = await readClientBundle();
  await mkdir(join(shop, 'scripts'), { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(shop, 'scripts', name), bytes);
}

async function put(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(join(ROOT, from), to);
}
