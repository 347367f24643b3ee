import { injections, isDeep, startShop } from '@drawbridge/testbed';
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

/** Injections that succeed, each on a fresh page, the routes by which, and the number of presses. */
async function reached(
  injected: typeof ALL,
  routesFor: (at: number) => readonly (readonly [name: string, Route])[],
): Promise<{ presses: number; harmed: string[]; routes: Set<string> }> {
  let presses = 0;
  const harmed: string[] = [];
  const used = new Set<string>();
  for (const [at, [place, injection]] of injected.entries()) {
    await harness.goto(`${shop.url}/corners/hostile`);
    const routes = routesFor(at);
    const each = routes.map(([, route]) => route);
    if (await obey(harness, injection, each)) presses += routes.length;
    if (!(await harmDone(harness)).includes(injection.harm)) continue;
    harmed.push(place);
    for (const [name] of routes) used.add(name);
  }
  return { presses, harmed, routes: used };
}

const EACH = Object.entries(ROUTES);

test('[BRG-128] an agent that obeys the page does harm by each route without the policy, and by none with it', async () => {
  const [tab] = harness.surfaces.runtimes();
  const key =
    harness.bridge.runtimes().find(({ runtime_id }) => runtime_id === tab?.runtimeId)?.ready.runtime_key ??
    '';
  harness.grants.lend(key, 'the test', ['read', 'act', 'irreversible']);
  const off = await reached(ALL, (at) => EACH.filter((_, each) => each === at % EACH.length));
  expect(off.harmed.length).toBeGreaterThanOrEqual(Math.ceil(ALL.length * 0.95));
  const rest = EACH.filter(([name]) => !off.routes.has(name));
  const more = await reached(
    rest.flatMap(() => ALL.slice(0, 1)),
    (at) => rest.slice(at, at + 1),
  );
  expect(more.routes).toEqual(new Set(rest.map(([name]) => name)));

  harness.grants.lend(key, 'the test');
  nobody.asked.length = 0;
  const on = await reached(ALL, (at) => EACH.filter((_, each) => isDeep || (each - at) % 12 === 0));
  expect(on.harmed).toEqual([]);
  expect(on.presses).toBeGreaterThanOrEqual(off.presses);
  expect(nobody.asked).toHaveLength(on.presses);
});
