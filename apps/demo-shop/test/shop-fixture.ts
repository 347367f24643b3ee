import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** One shop per test file, and a fresh visitor for each call of `visit`. */
export function setUpShop() {
  let shop: Shop | undefined;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop?.close());

  const running = (): Shop => {
    if (!shop) throw new Error('The shop opens in beforeAll: use it inside a test.');
    return shop;
  };
  return {
    shop: running,
    async visit(path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
      const opened = await openPage({ baseURL: running().url, ...options });
      await opened.page.goto(path);
      return opened;
    },
  };
}
