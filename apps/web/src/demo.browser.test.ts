import type { DemoView } from '@drawbridge/protocol/http';
import type { RelayDemo } from '@drawbridge/relay';
import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { callTool } from '../test/mcp-call.ts';
import { lendTab } from '../test/test-tab.ts';
import { sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let view: DemoView = { state: 'ready', said: '', done: [] };
let missing: string | undefined;
let starts = 0;

/** A demo whose progress the test controls. */
const demo: RelayDemo = {
  view: () => view,
  async start() {
    if (missing !== undefined) throw new Error(missing);
    starts += 1;
    view = { state: 'playing', said: 'An agent buys a lamp.', done: [] };
  },
};

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness({ demo });
  await fetch(harness.url);
});
afterAll(() => harness.close());
beforeEach(() => {
  view = { state: 'ready', said: '', done: [] };
  missing = undefined;
});

test('an owner of an empty relay plays the demo once at a time, and sees its progress and end', async () => {
  const { page } = await visit(harness, { size: 'phone', role: 'owner' });
  await page.getByText('No agent is connected yet. Watch one at work').waitFor();
  await page.getByRole('button', { name: 'Play the demo' }).click();
  await page.getByRole('status').getByText('An agent buys a lamp.').waitFor();
  const playing = page.getByRole('button', { name: 'The demo is playing' });
  await playing.waitFor();
  expect(await playing.isDisabled()).toBe(true);

  const other = await visit(harness, { size: 'desk', role: 'owner', path: '/settings' });
  await other.talk.getByRole('button', { name: 'The demo is playing' }).waitFor();
  await other.page.keyboard.press('Control+k');
  const palette = other.page.getByRole('dialog');
  await palette.getByRole('combobox').fill('demo');
  const refused = other.page.waitForResponse((response) => response.request().method() === 'POST');
  await palette.getByRole('option', { name: /Play the demo/ }).click();
  expect((await refused).status()).toBe(409);
  await other.page.getByRole('status').getByText('An agent buys a lamp.').waitFor();
  expect(starts).toBe(1);

  view = { state: 'played', said: 'The demo is over.', done: ['The order is placed: LO-1001.'] };
  for (const each of [page, other.page]) {
    await each.getByRole('status').getByText('LO-1001').first().waitFor();
    await each.getByRole('button', { name: 'Dismiss' }).first().click();
  }
  await page.getByRole('button', { name: 'Play the demo' }).waitFor();
});

test('shows missing parts, and offers the demo only to owners', async () => {
  missing = 'No Chromium or Chrome is in the usual places. Install one.';
  const { page } = await visit(harness, { size: 'desk', role: 'owner' });
  await page.getByRole('button', { name: 'Play the demo' }).click();
  await page.getByRole('status').getByText(missing).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const guest = await visit(harness, { size: 'phone', role: 'person' });
  await guest.page.getByText('No sessions yet').waitFor();
  await expect.poll(() => guest.page.getByRole('button', { name: 'Play the demo' }).count(), TIMEOUT).toBe(0);
});

for (const size of sampled(['desk', 'phone'] as const, 2)) {
  test(`[CHT-342] opens the conversations of the demo’s agents, where a person sees each step and writes to it, at ${size} size`, async () => {
    // Beside the list only while that is empty.
    const path = size === 'desk' ? '/' : '/settings';
    const { page, talk, write } = await visit(harness, { size, role: 'owner', path });
    const [shopper, launched_id] = [`Shopper ${size}`, `launched_${size}`];
    await page.getByRole('button', { name: 'Play the demo' }).click();
    const tab = lendTab(harness);
    onTestFinished(tab.close);
    const { token } = await harness.relay.devices.mint({ roles: ['agent'], label: shopper, by: 'machine' });
    const press = { steps: [{ do: 'click', id: '7' }] };
    await callTool(harness.relay.url, token, 'act', press);
    await talk.getByRole('heading', { name: shopper }).waitFor(TIMEOUT);
    await talk.getByText('Pressed element 7 on shop.example.').waitFor(TIMEOUT);
    await page.getByRole('img', { name: 'Desk lamps, as it looks now' }).waitFor(TIMEOUT);
    await write('Take the green one.');
    await talk.locator('[data-stage="delivered"]').waitFor(TIMEOUT);
    const answer = await callTool(harness.relay.url, token, 'act', press);
    expect(await answer.text()).toContain('Take the green one.');
    // The third part: opens the agent that the demo launches, and no other one.
    const proxy = await harness.proxy(`studio demo ${size}`);
    onTestFinished(() => proxy.link.close());
    const [launched, other] = [
      sessionOf(launched_id, { display_name: `Web shop ${size}` }),
      sessionOf(`other ${size}`),
    ];
    proxy.list(other);
    view = { ...view, session_id: launched_id };
    proxy.list(other, launched);
    await talk.getByRole('heading', { name: `Web shop ${size}` }).waitFor(TIMEOUT);
  });
}
