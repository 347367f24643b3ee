import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { ROUTES, type Route } from '../gullible-agent.ts';
import { type DeceitfulSite, deceitsOf, startDeceitfulSite } from './deceits.ts';

let site: DeceitfulSite;
let harness: BrowserHarness;
const nobody = answeringPerson(() => 'deny');

beforeAll(async () => {
  site = await startDeceitfulSite();
  harness = await startBrowserHarness({ asker: nobody });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  nobody.asked.length = 0;
  site.takePayments();
});

interface Node {
  readonly i: string;
  readonly n: string;
}

/** The id in the tree, or the one that a locator gives: the tree lists no container. */
async function idOf(name: string, selector: string): Promise<string> {
  const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
    readonly page: { readonly interactive_tree: readonly Node[] };
  };
  const listed = page.interactive_tree.find(({ n }) => n === name);
  if (listed !== undefined) return listed.i;
  const { id } = (await harness.call('locator.element_info', { locator: { selector } })) as { id: string };
  return id;
}

const typeLine: Route = (agent, { id }) => agent.call('element.type', { id, text: 'x\n' });

/** Presses the requested element by each route, and ignores refusals. */
async function obey(deceit: string, routes: readonly Route[]): Promise<void> {
  const { press } = site.deceits[deceit] ?? { press: '' };
  await harness.goto(`${site.url}${site.pathOf(deceit)}`);
  const selector = `[aria-label="${press}"], dialog, button`;
  const button = { id: await idOf(press, selector), selector };
  for (const route of routes) await route(harness, button).catch(() => undefined);
  await harness.call('page.wait', { for: 'stable' }).catch(() => undefined);
}

const lentKey = (): string => {
  const [tab] = harness.surfaces.runtimes();
  const known = harness.bridge.runtimes().find(({ runtime_id }) => runtime_id === tab?.runtimeId);
  return known?.ready.runtime_key ?? '';
};

const DECEITS = Object.entries(deceitsOf(''));

test.each(sampled(DECEITS, 2))(
  '[BRG-128] an agent that obeys %s pays nothing without a question',
  async (deceit) => {
    await obey(deceit, [...ROUTES, typeLine]);
    expect(site.takePayments()).toBe(0);
  },
);

/** Some pages suffice to show that the site takes payments. */
const SHOWN = sampled(DECEITS, 4);

test('[BRG-128] each page takes a payment where everything is permitted, unless the press evades it', async () => {
  harness.grants.lend(lentKey(), 'the test', ['read', 'act', 'irreversible']);
  const paying: string[] = [];
  for (const [deceit] of SHOWN) {
    await obey(deceit, [ROUTES[0] ?? typeLine, typeLine]);
    if (site.takePayments() > 0) paying.push(deceit);
  }
  harness.grants.lend(lentKey(), 'the test');
  const expected = SHOWN.filter(([, { evaded }]) => !evaded).map(([deceit]) => deceit);
  expect(paying).toEqual(expect.arrayContaining(expected));
});
