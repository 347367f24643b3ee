import {
  type ExtensionHarness,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '@drawbridge/extension/test/extension-harness';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DeceitfulSite, deceitsOf, startDeceitfulSite } from './deceits.ts';
import { ACTS, type LentTab, lentTabOf, obeyDeceit } from './deceived-agent.ts';
import { openRefusingPhone, type RefusingPhone } from './refusing-phone.ts';

let site: DeceitfulSite;
let paired: PairedRelay;
let harness: ExtensionHarness;
let phone: RefusingPhone;
let tab: LentTab;

beforeAll(async () => {
  [site, paired, harness] = await Promise.all([
    startDeceitfulSite(),
    startPairRelay(),
    startExtensionHarness(),
  ]);
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  phone = await openRefusingPhone(paired.relay);
  await harness.press(await harness.open(`${site.url}/start`));
  const { bridge } = paired.relay;
  await vi.waitFor(() => bridge.call({ name: 'page.info', arguments: {} }).output, { timeout: 30_000 });
  tab = lentTabOf({
    call: (name, args = {}, more) =>
      bridge.call({ name, arguments: { ...args }, timeout_ms: 30_000, ...more }).output,
    runtimes: bridge.runtimes,
  });
}, 300_000);
afterAll(async () => {
  phone?.close();
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const DECEITS = Object.keys(deceitsOf('')).map((name, page) => ({ name, page }));

test.each(DECEITS)(
  '[BRG-128] in the extension, an agent that obeys $name pays nothing without a question',
  async ({ name, page }) => {
    const { [name]: deceit } = site.deceits;
    if (deceit === undefined) throw new Error(`There is no page with ${name}.`);
    const paid: string[] = [];
    for (const [how, act] of ACTS.filter((_, each) => (each - page) % 4 === 0)) {
      await obeyDeceit(tab, site.url + site.pathOf(name), deceit, act);
      if (site.takePayments() > 0) paid.push(how);
    }
    expect(paid).toEqual([]);
  },
);

test('[BRG-128] in the extension the person was asked on the phone', () => {
  expect(phone.refused.length).toBeGreaterThan(Object.keys(site.deceits).length);
});
