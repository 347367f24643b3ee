import axe from 'axe-core';
import type { Page } from 'playwright-core';

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose verdict depends on colours, sizes and the length of words. */
const LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/**
 * Violations of WCAG 2.2 AA that axe finds, and whether the page scrolls sideways. Another theme, width or language of
 * a page that was checked needs only the rules for `looks`; `npm run deep` checks all of them there, too.
 */
export async function pageFaults(page: Page, rules: 'all' | 'looks' = 'all'): Promise<readonly string[]> {
  const isWhole = rules === 'all' || process.env['DRAWBRIDGE_DEEP'] !== undefined;
  // As a debugger would: the page's own policy lets no such script in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (runOnly) => {
      const here: typeof axe = Reflect.get(globalThis, 'axe');
      // A button that arms itself has other colours on the way. A spinner never ends.
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      const { violations } = await here.run({
        runOnly,
        rules: { region: { enabled: false } },
        resultTypes: ['violations'],
      });
      const { scrollWidth, clientWidth } = document.documentElement;
      return [
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
        ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : []),
      ];
    },
    isWhole ? ALL : LOOKS,
  );
}
