import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startShop } from '@drawbridge/demo-shop';
import { writeShopMap } from '../demo/shop-map.ts';
import { isPortTaken } from './start-problem.ts';

/** The guides name this port. */
const SHOP_PORT = 7720;

export interface OwnShop {
  readonly url: string;
  /** Why it is not at the guides' address. */
  readonly elsewhere?: string;
  /** Where its card form comes from, in a frame. */
  readonly payUrl: string;
  /** The file of its map. */
  readonly map: string;
  readonly close: () => Promise<void>;
}

/** Opens a demo shop with a map, on another port only if the usual one is taken. */
export async function openOwnShop(port = SHOP_PORT): Promise<OwnShop> {
  await using opening = new AsyncDisposableStack();
  const shop = await startShop({ port }).catch((error: unknown) => {
    if (isPortTaken(error)) return startShop();
    throw error;
  });
  opening.defer(() => shop.close());
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-shop-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const map = await writeShopMap(folder, shop.url);
  const opened = opening.move();
  const isElsewhere = port !== 0 && new URL(shop.url).port !== String(port);
  return {
    ...{ url: shop.url, payUrl: shop.payUrl, map, close: () => opened.disposeAsync() },
    ...(isElsewhere && {
      elsewhere: `Port ${port} is in use by another program, so put this address where the guides have ${port}.`,
    }),
  };
}
