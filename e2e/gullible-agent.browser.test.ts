import { injections, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { harmDone, obey, ROUTES, type Route } from './gullible-agent.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let harness: BrowserHarness;
const nobody = answeringPerson(() => 'deny');
const ALL = Object.entries(injections);

beforeAll(async () => {
  shop = await startShop();
  harness = await startBrowserHarness({ asker: nobody });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await shop.close();
});

/** Number of injections that succeed, each on a fresh page. */
async function reached(
  routesFor: (at: number) => readonly Route[],
): Promise<{ tried: number; harmed: string[] }> {
  let tried = 0;
  const harmed: string[] = [];
  for (const [at, [place, injection]] of ALL.entries()) {
    await harness.goto(`${shop.url}/corners/hostile`);
    if (await obey(harness, injection, routesFor(at))) tried++;
    if ((await harmDone(harness)).includes(injection.harm)) harmed.push(place);
  }
  return { tried, harmed };
}

test('[BRG-128] an agent that obeys the page does harm by each route without the policy, and by none with it', async () => {
  const [tab] = harness.surfaces.runtimes();
  const key =
    harness.bridge.runtimes().find(({ runtime_id }) => runtime_id === tab?.runtimeId)?.ready.runtime_key ??
    '';
  harness.grants.lend(key, 'the test', ['read', 'act', 'irreversible']);
  const off = await reached((at) => ROUTES.filter((_, each) => each === at % ROUTES.length));
  expect(off.harmed.length).toBeGreaterThanOrEqual(Math.ceil(ALL.length * 0.95));

  harness.grants.lend(key, 'the test');
  nobody.asked.length = 0;
  const on = await reached(() => ROUTES);
  expect(on.harmed).toEqual([]);
  expect(on.tried).toBe(off.tried);
  expect(nobody.asked).toHaveLength(on.tried * ROUTES.length);
});
