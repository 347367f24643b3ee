import { pageBundle } from '@drawbridge/page/bundle';
import type { Tab } from './chromium.ts';

/** Expression for our whole page code in a page, with tagging and observers, as a host injects it. */
export const OUR_PAGE = `globalThis[Symbol.for('drawbridge.page')].page`;

export async function startPageCode(tab: Tab): Promise<void> {
  const { code } = await pageBundle();
  await tab.evaluate(`${code}; true`);
}
