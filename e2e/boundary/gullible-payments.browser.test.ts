import { openPage, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { ROUTES, type Route } from '../gullible-agent.ts';
import { type LentTab, lentTabOf } from './deceived-agent.ts';
import { type PayingSite, type Swap, startPayingSite } from './paying-site.ts';

let site: PayingSite;
let harness: BrowserHarness;
let tab: LentTab;
let asked = 0;
/** Runs while the person reads, and returns the answer. */
let decide: (round: number) => Promise<'once' | 'deny'>;

beforeAll(async () => {
  site = await startPayingSite();
  harness = await startBrowserHarness({
    asker: {
      ask: async ({ call_hash }) => ({ decision: await decide(++asked), call_hash, by: 'the test' }),
    },
  });
  tab = lentTabOf({ call: harness.call, runtimes: harness.bridge.runtimes });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await tab.goto(`${site.url}/pay`);
  asked = 0;
  site.forget();
});

async function press(route: Route): Promise<unknown> {
  const selector = 'form button';
  const { id } = (await tab.call('locator.element_info', { locator: { selector } })) as { id: string };
  return route(tab, { id, selector });
}

const SWAPS: readonly Swap[] = ['amount', 'payee', 'action', 'hidden', 'button'];
const CASES = Object.entries(ROUTES).flatMap(([how, route], at) =>
  SWAPS.map((swap) => ({ how, route, swap })).filter((_, each) => each === at % SWAPS.length),
);

test.each(sampled(CASES, 4))(
  '[BRG-128] $how, and the page swaps the $swap during the question: nothing is paid by the first yes',
  async ({ route, swap }) => {
    decide = async (round) => {
      if (round > 1) return 'deny';
      await site.swap(swap);
      return 'once';
    };
    await expect(press(route)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(site.payments).toEqual([]);
    expect(asked).toBe(2);

    await tab.goto(`${site.url}/pay`);
    decide = async () => 'once';
    // The page may have left before the key is released, which is reported as an error.
    await press(route).catch(() => undefined);
    await expect.poll(() => site.payments.length, { message: 'the route pays once it may' }).toBe(1);
  },
);

const REPEATS: readonly object[] = [{ reload: true }, { back: true }, { reload: true }];

test('[BRG-128] an agent that was allowed one payment repeats it by no reload, back or address', async () => {
  decide = async (round) => (round === 1 ? 'once' : 'deny');
  await press((hands, { id }) => hands.call('element.click', { id }));
  await expect.poll(() => site.payments.length).toBe(1);
  for (const repeat of [...REPEATS, { url: `${site.url}/paid` }, ...REPEATS]) {
    await tab.call('browser.navigate', repeat).catch(() => undefined);
    await tab.call('page.wait', { for: 'stable', quiet_ms: 20 });
  }
  expect(site.payments).toHaveLength(1);

  // The same reload without Drawbridge sends the payment again.
  site.forget();
  await using opened = await openPage();
  await opened.page.goto(`${site.url}/send`);
  await Promise.all([opened.page.waitForURL('**/paid'), opened.page.click('form button')]);
  await expect.poll(() => site.payments.length).toBe(1);
  await opened.page.reload();
  expect(site.payments).toHaveLength(2);
});
