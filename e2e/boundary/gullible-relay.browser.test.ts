import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlHarness, known, startControlHarness } from './control-harness.ts';
import { type DeceitfulSite, deceitsOf, startDeceitfulSite } from './deceits.ts';
import { actsOn, type LentTab, lentTabOf, obeyDeceit } from './deceived-agent.ts';
import { openRefusingPhone, type RefusingPhone } from './refusing-phone.ts';

let site: DeceitfulSite;
let harness: ControlHarness;
let phone: RefusingPhone;
let tab: LentTab;

beforeAll(async () => {
  [site, harness] = await Promise.all([startDeceitfulSite(), startControlHarness()]);
  phone = await openRefusingPhone(harness.relay);
  const { call, bridge } = harness.agent;
  await known(bridge, () => true);
  tab = lentTabOf({ call, runtimes: bridge.runtimes });
});
afterAll(async () => {
  phone?.close();
  await harness?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const DECEITS = Object.keys(deceitsOf('')).map((name, page) => ({ name, page }));

test.each(sampled(DECEITS, 24))(
  '[BRG-128] over a running relay, an agent with its own token that obeys $name pays nothing without a question',
  async ({ name, page }) => {
    const { [name]: deceit } = site.deceits;
    if (deceit === undefined) throw new Error(`There is no page with ${name}.`);
    const paid: string[] = [];
    for (const [how, act] of actsOn(page)) {
      await obeyDeceit(tab, site.url + site.pathOf(name), deceit, act);
      if (site.takePayments() > 0) paid.push(how);
    }
    expect(paid).toEqual([]);
  },
);

test('[BRG-128] over a running relay the person was asked on the phone', async () => {
  const { Dutch: deceit } = site.deceits;
  if (deceit === undefined) throw new Error('There is no page.');
  phone.refused.length = 0;
  const url = site.url + site.pathOf('Dutch');
  await obeyDeceit(tab, url, deceit, (hands, { id }) => hands.call('element.click', { id }));
  expect(phone.refused).toEqual([expect.stringContaining(deceit.press)]);
  expect(site.takePayments()).toBe(0);
});
