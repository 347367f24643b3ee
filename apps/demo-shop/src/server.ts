import { assetRoutes, assetsPath } from './asset-routes.ts';
import { readClientBundle } from './client-bundle.ts';
import { openSite } from './http-site.ts';
import type { Corner } from './page.ts';
import { createPaymentService } from './pay/payment-service.ts';
import { paymentRoutes } from './pay/payment-site.ts';
import { shopRoutes } from './shop-routes.ts';
import { createVisitBook, type Order } from './visits.ts';

/** Corners that the shop itself does not have, and the files of their scripts by name. */
export type MoreCorners = { corners: readonly Corner[]; scripts: Readonly<Record<string, string>> };

export type ShopOptions = { port?: number; payPort?: number; host?: string; more?: MoreCorners };

export type Shop = {
  url: string;
  /** Another host name on purpose: a frame of it in the shop is a frame of another site. */
  payUrl: string;
  /** Every order placed since the start or the last reset, visit by visit. */
  orders(): Order[];
  /** Empties the cart of every visit; its orders stay. */
  emptyCarts(): void;
  /** Drops every visit. */
  reset(): void;
  close(): Promise<void>;
};

export async function startShop(options: ShopOptions = {}): Promise<Shop> {
  const { port = 0, payPort = 0, host = '127.0.0.1', more = { corners: [], scripts: {} } } = options;
  const bundle = await readClientBundle(more.scripts);
  const shopSite = await openSite(host, port);
  const paySite = await openSite('127.0.0.1', payPort).catch(async (error: unknown) => {
    await shopSite.close();
    throw error;
  });
  const url = `http://${host}:${shopSite.port}`;
  const payUrl = `http://${host === 'localhost' ? '127.0.0.1' : 'localhost'}:${paySite.port}`;
  const visits = createVisitBook();
  const payments = createPaymentService();
  const assets = assetsPath(bundle);
  shopSite.serve([
    ...assetRoutes(bundle),
    ...shopRoutes({ visits, payments, payUrl, assets, moreCorners: more.corners }),
  ]);
  paySite.serve([...assetRoutes(bundle), ...paymentRoutes(payments, url, assets)]);
  let closing: Promise<unknown> | undefined;
  return {
    url,
    payUrl,
    orders: visits.orders,
    emptyCarts: visits.emptyCarts,
    reset: visits.clear,
    async close() {
      closing ??= Promise.all([shopSite.close(), paySite.close()]);
      await closing;
    },
  };
}
