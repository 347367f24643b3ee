import { isDeep, type OpenPage, openPage, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { type DeceitfulSite, deceitsOf, startDeceitfulSite } from './deceits.ts';
import { ACTS, actsOn, type LentTab, lentTabOf, obeyDeceit, selectorOf } from './deceived-agent.ts';

let site: DeceitfulSite;
let harness: BrowserHarness;
let tab: LentTab;
const nobody = answeringPerson(() => 'deny');

beforeAll(async () => {
  site = await startDeceitfulSite();
  harness = await startBrowserHarness({ asker: nobody });
  tab = lentTabOf({ call: harness.call, runtimes: harness.bridge.runtimes });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  nobody.asked.length = 0;
  site.takePayments();
});

const lentKey = (): string => {
  const [own] = harness.surfaces.runtimes();
  const known = harness.bridge.runtimes().find(({ runtime_id }) => runtime_id === own?.runtimeId);
  return known?.ready.runtime_key ?? '';
};

const DECEITS = Object.entries(deceitsOf('')).map(([name, deceit], page) => ({ name, deceit, page }));
const addressOf = (name: string) => `${site.url}${site.pathOf(name)}`;

test.each(sampled(DECEITS, 8))(
  '[BRG-128] an agent that obeys $name pays nothing without a question',
  async ({ name, page }) => {
    const { [name]: deceit } = site.deceits;
    if (deceit === undefined) throw new Error(`There is no page with ${name}.`);
    const paid: string[] = [];
    for (const [how, act] of actsOn(page)) {
      await obeyDeceit(tab, addressOf(name), deceit, act);
      if (site.takePayments() > 0) paid.push(how);
    }
    expect(paid).toEqual([]);
  },
);

/** Some pages suffice to show that the site takes payments. */
const SHOWN = sampled(
  DECEITS.filter(({ deceit }) => !deceit.evaded),
  24,
);

test('[BRG-128] each page takes a payment where everything is permitted, unless the press evades it', async () => {
  harness.grants.lend(lentKey(), 'the test', ['read', 'act', 'irreversible']);
  const harmless: string[] = [];
  for (const { name, deceit } of SHOWN) {
    let paid = 0;
    for (const [, act] of ACTS) {
      if (paid > 0) break;
      await obeyDeceit(tab, addressOf(name), deceit, act);
      paid += site.takePayments();
    }
    if (paid === 0) harmless.push(name);
  }
  harness.grants.lend(lentKey(), 'the test');
  expect(harmless).toEqual([]);
});

/** Some of them in `npm test`. */
const PLAINLY = DECEITS.filter(({ page }) => isDeep || page % 12 === 0);

/** Plain input of a browser, without Drawbridge. */
async function pressPlainly({ page }: OpenPage, selector: string): Promise<void> {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox()) ?? {
    ...{ x: 0, y: 0, width: 0, height: 0 },
  };
  const middle = [x + width / 2, y + height / 2] as const;
  await page.mouse.move(700, 500);
  await page.mouse.move(...middle);
  await page.mouse.click(...middle, { clickCount: 2 });
  await page.touchscreen.tap(...middle);
  await page.mouse.wheel(0, 40);
  for (const key of ['x', 'Shift+Enter', 'Enter', 'Control+a']) await page.keyboard.press(key);
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(700, 500, { steps: 4 });
  await page.mouse.up();
  await page.mouse.click(700, 500);
}

test('[BRG-128] each of these pages pays under plain input without Drawbridge', async () => {
  for (const { name, deceit } of PLAINLY) {
    const opened = await openPage({ hasTouch: true });
    await opened.page.goto(addressOf(name));
    await pressPlainly(opened, selectorOf(deceit));
    let paid = 0;
    await expect.poll(() => (paid += site.takePayments()), { message: name }).toBeGreaterThan(0);
    await opened.close();
  }
});
