import { surfaceScript } from '@drawbridge/runtime/node';
import type { Tab } from './chromium.ts';

/** Expression for our whole page code in a page, with tagging and observers, as a host injects it. */
export const OUR_PAGE = `globalThis[Symbol.for('drawbridge.page')].page`;

export async function startPageCode(tab: Tab): Promise<void> {
  const { code } = await surfaceScript();
  await tab.evaluate(`${code}; true`);
}
