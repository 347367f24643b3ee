import { singleMap } from '@drawbridge/runtime';
import { startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answeringPerson, type BrowserHarness, shopMap, startBrowserHarness } from './browser-harness.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let harness: BrowserHarness;
const person = answeringPerson(() => 'deny');

beforeAll(async () => {
  shop = await startShop();
  harness = await startBrowserHarness({ maps: shopMap(shop.url), asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await shop.close();
});

const statusOf = () => harness.bridge.runtimes()[0]?.status?.attachments;
const until = (holds: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const stop = harness.bridge.watch(look);
    look();
  });

async function pressAsPerson(selector: string): Promise<void> {
  const { clickable_center: center } = (await harness.call('locator.element_info', {
    locator: { selector },
  })) as {
    clickable_center: { x: number; y: number };
  };
  const [host] = harness.browser.surfaces();
  await host?.input?.press({ ...center, button: 'left', count: 1, modifiers: [] });
}

test("[BRG-128] an agent that presses the map's button is no person: the tool asks as in any other call", async () => {
  const paying = { ...SHORTCUT, tools: [{ ...SHORTCUT.tools[0], x_actions: { effect: 'irreversible' } }] };
  await using other = await startBrowserHarness({
    maps: singleMap({ ...paying, surface: { origin: shop.url } }),
    asker: person,
  });
  await other.goto(`${shop.url}/`);
  const here = { selector: '[data-drawbridge]' };
  await other.call('locator.wait_for', { locator: here, timeout_ms: 10_000 });
  const { clickable_center: center } = (await other.call('locator.element_info', { locator: here })) as {
    clickable_center: { x: number; y: number };
  };
  person.asked.length = 0;
  await other.call('pointer.click', center);
  await vi.waitUntil(() => person.asked.some(({ name }) => name === 'shop.leave'));
  expect(other.bridge.runtimes()[0]?.ready.url).toBe(`${shop.url}/`);
});

const SHORTCUT = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'shop.leave',
      description: 'Goes to the cart.',
      input_schema: { type: 'object' },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'go', primitive: 'browser.navigate', args: { url: 'about:blank' } }],
      },
      x_actions: { effect: 'act' },
    },
  ],
  attachments: [
    {
      id: 'leave',
      kind: 'shortcut',
      target: { selector: 'h1' },
      affordance: { label: 'Leave', placement: 'afterend', opens: { tool: 'shop.leave' } },
      lifecycle: {
        install: 'when_target_matches',
        remove: 'when_context_mismatch',
        reattach: 'on_url_or_dom_change',
      },
    },
  ],
};

test("a map's button is on the page, and its press counts as the person's own act", async () => {
  await harness.goto(`${shop.url}/products/oak-board`);
  await harness.call('cart.add');
  await harness.goto(`${shop.url}/cart`);
  await until(
    () => statusOf()?.some(({ id, state }) => id === 'cart-agent-shortcut' && state === 'installed') === true,
  );

  harness.grants.revokeAll();
  await expect(harness.call('page.info')).rejects.toMatchObject({ code: 'permission_denied' });
  const [runtime] = harness.bridge.runtimes();
  harness.grants.lend(runtime?.ready.runtime_key ?? '', 'the test', ['read']);
  person.asked.length = 0;
  await pressAsPerson('[data-drawbridge]');
  await until(() => harness.bridge.runtimes()[0]?.ready.url.endsWith('/checkout') === true);
  expect(person.asked).toEqual([]);
  await until(() => statusOf()?.every(({ state }) => state === 'waiting') === true);
});
