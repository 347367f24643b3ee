import axe from 'axe-core';
import type { Page } from 'playwright-core';

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules whose verdict depends on colours, sizes and text length. */
const LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/**
 * Violations of WCAG 2.2 AA that axe finds, and horizontal scrolling. Another theme, width or language of a
 * page that was checked needs only the rules for `looks`; `npm run deep` checks all of them there too. `within`, a
 * selector, checks a dialog or menu alone, over a page that was checked.
 */
export async function pageFaults(
  page: Page,
  rules: 'all' | 'looks' = 'all',
  within = 'html',
): Promise<readonly string[]> {
  let faults = await currentFaults(page, rules, within);
  // A transition may begin while axe reads the page, so only faults that stay count.
  for (let previous = ''; faults.length > 0 && previous !== faults.join(); ) {
    previous = faults.join();
    faults = await currentFaults(page, rules, within);
  }
  return faults;
}

async function currentFaults(page: Page, rules: 'all' | 'looks', within: string): Promise<readonly string[]> {
  const isWhole = rules === 'all' || process.env['DRAWBRIDGE_DEEP'] !== undefined;
  // Injected by the debugger: the page's CSP forbids such a script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ runOnly, within }) => {
      const here: typeof axe = Reflect.get(globalThis, 'axe');
      // Waits for transitions, such as a button that arms itself. A spinner never ends.
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      const { violations } = await here.run(within, {
        runOnly,
        resultTypes: ['violations'],
      });
      const { scrollWidth, clientWidth } = document.documentElement;
      return [
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
        ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : []),
      ];
    },
    { runOnly: isWhole ? ALL : LOOKS, within },
  );
}
