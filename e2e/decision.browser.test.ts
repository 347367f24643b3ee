import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, singleMap } from '@drawbridge/runtime';
import { launchBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces, surfaceScript } from '@drawbridge/runtime/node';
import { listenOnLoopback, pageChromiumPath, pageFaults, sampled } from '@drawbridge/testbed';
import { TIMEOUT, visit } from '@drawbridge/web/test/visit';
import { openWebHarness, type WebHarness } from '@drawbridge/web/test/web-harness';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf } from './mcp-client.ts';

const CHECKOUT = `<title>Checkout</title><h1>Your order</h1><p>2 × Arc lamp</p>
  <label>Name <input></label><label>Street <input></label><label>City <input></label>
  <form method="post" action="/paid"><label>Quantity <input name="quantity" value="1"></label>
  <p>Total 102.90 €</p><button>Pay 102.90 €</button></form>`;
/** Two forms on one page, for two agents. */
const DESK = (name: string) => `<title>${name}</title><h1>${name}</h1>
  <form method="post" action="/sent"><label>Lamps <input name="lamps" value="0"></label>
  <button>Pay for lamps</button></form>
  <form method="post" action="/sent"><label>Chairs <input name="chairs" value="0"></label>
  <button>Pay for chairs</button></form>`;
/** A page with the form of another site in a frame. */
const FRAMED = (frame: string) =>
  `<title>Cart</title><h1>Cart</h1><iframe src="${frame}" title="Form"></iframe>`;
const NEWS = `<title>News</title><form method="post" action="/sent"><label>Mail <input name="mail" value="a@b.example">
  </label><button>Show prices</button></form>`;
/** A map of the shop, with a tool that asks and does nothing. */
const mapOf = (origin: string) => ({
  ...{ protocol: 'actions.json', version: 1, surface: { origin, name: 'Shop' } },
  tools: [
    {
      name: 'order.place',
      description: 'Place the order on invoice. It cannot be called back.',
      input_schema: {
        type: 'object',
        properties: { quantity: { type: 'integer' }, gift: { type: 'boolean' }, note: { type: 'string' } },
      },
      workflow: {
        ...{ version: 1, expression_language: 'jsonata' },
        steps: [{ id: 'page', primitive: 'page.info', args: {} }],
        output: "{% {'order': 'LO-2002'} %}",
      },
      x_actions: { effect: 'irreversible' },
    },
  ],
});
const PAID = '<title>Thank you</title><p role="status">Thank you! Your order is LO-1001.</p>';

const sent: string[] = [];
const shop = createServer(async (request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  const path = request.url ?? '';
  if (path === '/sent') sent.push(await text(request));
  if (path.startsWith('/desk')) response.end(DESK(path));
  else if (path === '/framed') response.end(FRAMED(`${elsewhere}news`));
  else if (path === '/news') response.end(NEWS);
  else response.end(request.method === 'POST' ? PAID : CHECKOUT);
});
let harness: WebHarness;
const opened = new AsyncDisposableStack();
let buyer: Say;
let url: string;
/** The same server, as another site. */
let elsewhere: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(shop)}/`;
  elsewhere = url.replace('127.0.0.1', 'localhost');
  harness = await openWebHarness();
  const { bridge, asker } = harness.relay;
  const browser = await launchBrowser({
    ...{ executable: pageChromiumPath(), headless: true, args: [] },
    script: async () => (await surfaceScript()).code,
    localNetwork: { isOpen: () => true, open: () => {}, notePrivate: () => {} },
  });
  opened.defer(() => browser.close());
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  opened.defer(() => evaluator.close());
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive) => {
      const connection = bridge.connectRuntime({ send: receive });
      return { send: connection.receive, close: connection.close };
    },
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    ...{ maps: singleMap(mapOf(new URL(url).origin)), evaluator, asker, by: 'the test' },
  });
  opened.defer(() => surfaces.close());
  buyer = await connectAgent('my-buyer');
});
afterAll(async () => {
  await opened.disposeAsync();
  await harness.close();
  shop.closeAllConnections();
  shop.close();
});

type Say = (name: string, args: Record<string, unknown>) => Promise<string>;

async function connectAgent(label: string): Promise<Say> {
  const { token } = await harness.relay.devices.mint({ roles: ['agent'], label, by: 'machine' });
  const agent = new Client(
    { name: label, version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${harness.relay.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  opened.defer(() => agent.close());
  return async (name, args) => {
    const { content } = await agent.callTool({ name, arguments: args }, { timeout: 120_000 });
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  };
}

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`[BRG-195] a decision shows what the relay knows, and afterwards what came of it, at ${size} size`, async () => {
    await buyer('tabs', { do: 'navigate', url });
    const looks = () => buyer('snapshot', { fresh: true });
    // A busy machine shows the page later.
    await expect.poll(looks, TIMEOUT).toContain('Pay 102.90');
    const look = await looks();
    const fill = (name: string, value: string) => ({ do: 'fill', id: idOf(look, `inp ${name}`), value });
    const fills = [
      fill('Name', 'Ada'),
      fill('Street', 'Quay 1'),
      fill('City', 'Bath'),
      fill('Quantity', '2'),
    ];
    expect(await buyer('act', { steps: fills })).not.toContain('failed');
    const { page } = await visit(harness, { size });
    const paying = buyer('act', { steps: [{ do: 'click', id: idOf(look, 'btn Pay') }] });
    await page.getByRole('region', { name: 'Needs you' }).getByText('Press “Pay 102.90 €”').click();
    const card = page.getByRole('region', { name: 'Needs your decision' });
    await card.getByText('my-buyer asks:').waitFor();
    const steps = card.locator('dt:has-text("Before this") + dd').getByRole('listitem');
    const lastThree = ['Street', 'City', 'Quantity'].map((name) => `Filled in “${name}”`);
    expect(await steps.allTextContents()).toEqual(lastThree);
    await card.getByText('Total 102.90 €').waitFor();
    await card.getByText('2 × Arc lamp').waitFor();
    await card.getByText('Checkout', { exact: true }).waitFor();
    await card.getByText('Quantity: 2').waitFor();
    await card.getByRole('img', { name: 'The page as it looks now' }).waitFor(TIMEOUT);
    const frame = await card.getByTestId('framed').boundingBox();
    expect(frame?.width).toBeGreaterThan(10);
    expect(await pageFaults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
    await page
      .getByText(/^Done: Pressed “Pay 102.90 €”\. The page says: .*LO-1001/)
      .last()
      .waitFor({ timeout: 60_000 });
    expect(await paying).toContain('LO-1001');
  });
}

for (const size of sampled(['desk', 'phone'] as const, 2)) {
  test(`[BRG-195] [BRG-178] a decision names the page around a frame first, can be denied with a reason, and shows a map’s tool in its words, at ${size} size`, async () => {
    await buyer('tabs', { do: 'navigate', url: `${url}framed` });
    const framed = () => buyer('snapshot', { fresh: true });
    await expect.poll(framed, TIMEOUT).toContain('Show prices');
    const { page } = await visit(harness, { size });
    const needs = page.getByRole('region', { name: 'Needs you' });
    const card = page.getByRole('region', { name: 'Needs your decision' });
    const subscribing = buyer('act', {
      steps: [{ do: 'click', id: idOf(await framed(), 'btn Show prices') }],
    });
    await needs.getByText('Press “Show prices”').click();
    const places = await card.locator('dl').first().textContent();
    expect(places).toMatch(/^WhereCart · http:\/\/127.*In a frame ofhttp:\/\/localhost/);
    // A lasting yes is the quieter one.
    const lookOf = (name: string) =>
      card.getByRole('button', { name, exact: true }).evaluate((button) => {
        const { backgroundColor, fontSize } = getComputedStyle(button);
        return { background: backgroundColor, size: Number.parseFloat(fontSize) };
      });
    const [once, always] = [await lookOf('Allow once'), await lookOf('Always allow here')];
    expect(always.background).toBe('rgba(0, 0, 0, 0)');
    expect(once.background).not.toBe(always.background);
    expect(always.size).toBeLessThan(once.size);
    await card.getByRole('button', { name: 'Deny with a reason…' }).click();
    await card.getByLabel('Why not?').fill('Not there, please.');
    expect((await lookOf('Allow once')).background, 'beside a reason').not.toBe(once.background);
    expect(await pageFaults(page)).toEqual([]);
    await card
      .getByRole('button', { name: 'Deny', exact: true })
      .and(page.locator('[data-armed=true]'))
      .click();
    expect(await subscribing).toContain('Not there, please');

    await buyer('tabs', { do: 'navigate', url });
    const args = { quantity: 2, gift: true, note: 'Ring twice' };
    const ordering = buyer('site', { mode: 'call', action: 'order.place', arguments: args });
    const headline = 'Use “Place the order on invoice”';
    // The list, or the bar above another conversation's composer.
    await page.goto(harness.url);
    await needs.getByText(headline).click();
    await card.getByText(headline, { exact: true }).waitFor();
    await card.getByText('It cannot be called back.').waitFor();
    for (const line of ['quantity: 2', 'gift: true', 'note: Ring twice'])
      await card.getByText(line, { exact: true }).waitFor();
    expect(await card.textContent()).not.toMatch(/order\.place.*The exact request/);
    await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
    expect(await ordering).toContain('LO-2002');
    await page
      .getByRole('main')
      .getByText(/^Used “Place the order on invoice” on /)
      .first()
      .waitFor(TIMEOUT);
  });
}

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`a task that waits for a decision says so and leads there, and never that a machine is away, at ${size} size`, async () => {
    const { page, talk, go } = await visit(harness, { size, path: '/tasks' });
    await talk.getByLabel('Describe the task').fill('click "Pay 102.90 €"');
    await talk.getByLabel('Start on this page').fill(url);
    await talk.getByRole('button', { name: 'Start the task' }).click();
    await talk.getByText('A person is asked first: Click on “Pay 102.90 €” at').waitFor(TIMEOUT);
    expect(await page.locator('body').textContent()).not.toMatch(/away|offline|not connected|not reachable/i);
    expect(await pageFaults(page)).toEqual([]);
    await talk.getByRole('button', { name: 'Go to the waiting decision' }).click();
    const card = page.getByRole('region', { name: 'Needs your decision' });
    await card.getByText('Press “Pay 102.90 €”').waitFor(TIMEOUT);
    await card.getByText('click "Pay 102.90 €" asks:').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
    await card.waitFor({ state: 'detached' });
    await go('/tasks');
    const newest = talk.locator('button[aria-expanded]', { hasText: 'Pay 102.90' }).first();
    await newest.getByText('Done', { exact: true }).waitFor(TIMEOUT);
  });
}

test('[CHT-342] [CHT-346] two agents on one Chromium: steps, pictures and questions are each in the right conversation', async () => {
  const seller = await connectAgent('my-seller');
  await buyer('tabs', { do: 'navigate', url: `${url}desk-a` });
  await buyer('tabs', { do: 'open', url: `${url}desk-b` });
  const tabs = ['desk-a', 'desk-b'];
  const agents = [
    { say: buyer, name: 'my-buyer', thing: 'Lamps' },
    { say: seller, name: 'my-seller', thing: 'Chairs' },
  ];
  for (const { say, thing } of agents)
    for (const tab of tabs)
      await expect.poll(() => say('snapshot', { tab, fresh: true }), TIMEOUT).toContain(thing);
  // In each round both act at once, in two tabs, and then the other way round.
  for (let round = 1; round <= 4; round += 1) {
    await Promise.all(
      agents.map(async ({ say, thing }, index) => {
        const tab = tabs[(round + index) % 2];
        const look = await say('snapshot', { tab, fresh: true });
        const step = { do: 'fill', id: idOf(look, `inp ${thing}`), value: String(round) };
        expect(await say('act', { tab, steps: [step] })).toContain('ok');
      }),
    );
  }
  const { page, go } = await visit(harness, { size: 'desk' });
  const talk = page.getByRole('main');
  // The picture of a step is taken only while its agent rests.
  for (const { name, thing } of agents) {
    await page.locator(`a[href*="${name}"]`).first().click();
    await talk.locator(`button:has-text("Filled in “${thing}”") img`).first().waitFor(TIMEOUT);
  }
  await go('/');
  const needs = page.getByRole('region', { name: 'Needs you' });
  // Both wait for a person at the same time.
  const pressing = agents.map(async ({ say, thing }, index) => {
    const tab = tabs[index];
    const look = await say('snapshot', { tab, fresh: true });
    const id = idOf(look, `btn Pay for ${thing.toLowerCase()}`);
    return say('act', { tab, steps: [{ do: 'click', id }] });
  });
  await needs.getByText('Press “Pay for lamps”').waitFor(TIMEOUT);
  await needs.getByText('Press “Pay for chairs”').waitFor(TIMEOUT);
  const card = page.getByRole('region', { name: 'Needs your decision' });
  await needs.getByText('Press “Pay for chairs”').click();
  await card.getByText('my-seller asks:').waitFor(TIMEOUT);
  await card.getByRole('button', { name: 'Deny' }).and(page.locator('[data-armed=true]')).click();
  await needs.getByText('Press “Pay for lamps”').click();
  await card.getByText('my-buyer asks:').waitFor(TIMEOUT);
  await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
  await Promise.all(pressing);
  expect(sent).toEqual(['lamps=4']);
  for (const { name, thing } of agents) {
    const other = thing === 'Lamps' ? 'Chairs' : 'Lamps';
    await page.locator(`a[href*="${name}"]`).first().click();
    await talk.getByRole('heading', { name }).waitFor(TIMEOUT);
    const filled = async () => ((await talk.textContent()) ?? '').split(`Filled in “${thing}” on`).length - 1;
    await expect.poll(filled, TIMEOUT).toBe(4);
    expect(await talk.getByText(new RegExp(`“(?:Pay for )?${other}”`, 'i')).count()).toBe(0);
  }
});
