import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds against WCAG 2.2 AA, and whether the page scrolls sideways. Empty when there is nothing to mend. */
export async function pageFaults(page: Page): Promise<readonly string[]> {
  // As a debugger would: the page's own policy lets no such script in.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const here: typeof axe = Reflect.get(globalThis, 'axe');
    // A button that arms itself has other colours on the way. A spinner never ends.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { violations } = await here.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { region: { enabled: false } },
      resultTypes: ['violations'],
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
      ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} > ${clientWidth}`] : []),
    ];
  });
}
