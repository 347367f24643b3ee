import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHOP_MAP = fileURLToPath(new URL('../../../../maps/shop/actions.json', import.meta.url));

/** Writes the shipped map for a shop on another port. Returns its file. */
export async function writeShopMap(folder: string, origin: string): Promise<string> {
  const map: { readonly surface: object } = JSON.parse(await readFile(SHOP_MAP, 'utf8'));
  const file = join(folder, 'shop-map.json');
  await writeFile(file, JSON.stringify({ ...map, surface: { ...map.surface, origin } }));
  return file;
}
