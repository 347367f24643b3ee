import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startShop } from '@drawbridge/demo-shop';
import { writeShopMap } from '../demo/shop-map.ts';

export interface OwnShop {
  readonly url: string;
  /** Where its card form comes from, in a frame. */
  readonly payUrl: string;
  /** The file of its map. */
  readonly map: string;
  readonly close: () => Promise<void>;
}

/** Opens a demo shop with a map. */
export async function openOwnShop(): Promise<OwnShop> {
  await using opening = new AsyncDisposableStack();
  const shop = await startShop();
  opening.defer(() => shop.close());
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-shop-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const map = await writeShopMap(folder, shop.url);
  const opened = opening.move();
  return { url: shop.url, payUrl: shop.payUrl, map, close: () => opened.disposeAsync() };
}
