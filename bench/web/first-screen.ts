import { gzipSync } from 'node:zlib';

/** Bytes of the page and the files it names: everything needed for the first screen. */
export async function firstScreenBytes(url: string): Promise<number> {
  const page = await (await fetch(url)).text();
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  const loaded = ['/', ...named.filter((path) => !/\.(svg|png)$/.test(path))];
  const sizes = await Promise.all(
    loaded.map(async (path) => gzipSync(await (await fetch(url + path)).bytes()).length),
  );
  return sizes.reduce((sum, one) => sum + one, 0);
}
