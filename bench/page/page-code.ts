import { pageBundle } from '@drawbridge/page/bundle';
import type { Tab } from './chromium.ts';

/** An expression for our page code in a page: all of it, tagging and watching, as a host would have it. */
export const OUR_PAGE = `globalThis[Symbol.for('drawbridge.page')].page`;

export async function startPageCode(tab: Tab): Promise<void> {
  const { code } = await pageBundle();
  await tab.evaluate(`${code}; true`);
}
