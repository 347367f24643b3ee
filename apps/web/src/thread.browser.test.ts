import { pageFaults, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { callTool, postAs } from '../test/mcp-call.ts';
import { lendTab } from '../test/test-tab.ts';
import { sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

const OFFER = {
  type: 'proxy_offer',
  agents: [{ agent_type: 'claude', display_name: 'Claude Code', sign_in: 'done' }],
  workspaces: [{ path: '/work/shop' }],
};

for (const size of sampled(['desk', 'phone'] as const, 2)) {
  test(`[CHT-329] [CHT-334] lends tabs to a launched agent, shows where it is, and takes them back, at ${size} size`, async () => {
    const proxy = await harness.proxy(`studio ${size}`);
    onTestFinished(() => proxy.link.close());
    proxy.send(OFFER);
    const { page, talk } = await visit(harness, { size });
    await page.getByRole('button', { name: 'Start an agent' }).first().click();
    const dialog = page.getByRole('dialog');
    const mayUse = dialog.getByRole('checkbox', { name: 'May use the browser' });
    await dialog.getByText('No tab is lent now.').waitFor(TIMEOUT);
    expect(await mayUse.isChecked()).toBe(false);
    const tab = lendTab(harness, `tab_${size}`);
    onTestFinished(tab.close);
    await dialog.getByRole('radio', { name: 'Only tabs of these sites' }).check();
    expect(await mayUse.isChecked()).toBe(true);
    const site = dialog.getByRole('checkbox', { name: 'shop.example · Desk lamps' });
    await site.uncheck();
    await dialog.getByText('Choose a site.').waitFor();
    await site.check();
    expect(await pageFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    const { request_id, browser, browser_origins } = await proxy.next('launch_session');
    expect({ browser, browser_origins }).toEqual({
      browser: true,
      browser_origins: ['https://shop.example'],
    });
    const session_id = `lent_${size}`;
    proxy.list(sessionOf(session_id, { display_name: 'Claude' }));
    proxy.send({ type: 'session_launch_ack', request_id, session_id });
    const strip = talk.getByRole('region', { name: 'Browser of this agent' });
    await strip.getByText('May use shop.example').waitFor(TIMEOUT);
    const at = `${harness.relay.url}/api/sessions/${session_id}/browser`;
    const lent = await postAs(proxy.token, at, {});
    const { token } = await lent.json();
    await callTool(harness.relay.url, token, 'act', { steps: [{ do: 'click', id: '7' }] });
    await strip.getByText('In the tab “Desk lamps”').waitFor(TIMEOUT);
    await talk.getByText('Pressed element 7 on shop.example.').waitFor(TIMEOUT);
    // Above the conversation on a phone, beside it at the desk.
    const picture = page.getByRole('img', { name: 'Desk lamps, as it looks now' });
    await picture.waitFor(TIMEOUT);
    expect(await talk.getByRole('img', { name: 'Desk lamps, as it looks now' }).count()).toBe(
      size === 'phone' ? 1 : 0,
    );
    expect(await pageFaults(page)).toEqual([]);
    if (size === 'phone') {
      await strip.getByRole('button', { name: 'Hide tab' }).click();
      await picture.waitFor({ state: 'detached' });
    }
    // CHT-368: the step has a picture of the page.
    await talk.locator('button:has-text("Pressed element 7") img').waitFor(TIMEOUT);
    await strip.getByRole('button', { name: 'Take over' }).click();
    await strip.getByText('You have the browser').waitFor(TIMEOUT);
    const press = { steps: [{ do: 'click', id: '7' }] };
    const waiting = callTool(harness.relay.url, token, 'act', press);
    await talk
      .getByText('Waits until you give the browser back, and then looks again first: Presses')
      .waitFor(TIMEOUT);
    expect(await pageFaults(page)).toEqual([]);
    await strip.getByRole('button', { name: 'Hand back' }).click();
    expect(await (await waiting).text()).toContain('a person worked in the browser, and gave it back');
    await talk.getByText('gave the browser back.').waitFor(TIMEOUT);
    await strip.getByRole('button', { name: 'Take back' }).click();
    await dialog.getByRole('button', { name: 'Take back' }).waitFor();
    expect(await pageFaults(page, 'all', 'dialog[open]')).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await strip.getByText('This agent has no browser').waitFor(TIMEOUT);
    await expect.poll(async () => (await callTool(harness.relay.url, token, 'read', {})).status).toBe(401);
    expect((await postAs(proxy.token, at, {})).status).toBe(403);
    await strip.getByRole('button', { name: 'Lend the browser' }).click();
    await dialog.getByRole('radio', { name: 'Only tabs of these sites' }).check();
    expect(await mayUse.count()).toBe(0);
    expect(await pageFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Lend the browser' }).click();
    await strip.getByText('May use shop.example').waitFor(TIMEOUT);
    expect((await postAs(proxy.token, at, {})).status).toBe(201);
    const owner = await visit(harness, { size, role: 'owner', path: '/audit' });
    const who = size === 'phone' ? 'Ada\u2019s phone' : 'Desk';
    for (const sentence of [
      `${who} lent Claude the browser.`,
      'Claude: Pressed element 7.',
      `${who} took over the browser from Claude.`,
      `${who} handed the browser back to Claude.`,
      `${who} took the browser back from Claude.`,
    ])
      await owner.talk.getByText(sentence).first().waitFor(TIMEOUT);
    if (size === 'phone') return;
    // The agent is busy, and a person stops it.
    proxy.send({
      ...{ type: 'proxy_status', session_id, status: 'healthy' },
      activity: { kind: 'running_command', label: 'Writing' },
    });
    await talk.getByText('Writing').first().waitFor(TIMEOUT);
    await talk.getByRole('button', { name: 'Stop', exact: true }).click();
    await strip.getByText('Stopped: uses no tab until you write').waitFor(TIMEOUT);
  });
}

test('[CHT-361] an agent asks for the browser in its conversation, whose header says so, and a yes lends it', async () => {
  const proxy = await harness.proxy('studio asks');
  onTestFinished(() => proxy.link.close());
  const session_id = 'asks';
  proxy.list(sessionOf(session_id, { display_name: 'Codex' }));
  const tab = lendTab(harness, 'tab_asks');
  onTestFinished(tab.close);
  const { page, talk } = await visit(harness, { size: 'desk', path: `/s/${session_id}` });
  await talk.getByRole('heading', { name: 'Codex' }).waitFor(TIMEOUT);
  proxy.send({
    ...{ type: 'proxy_status', session_id, status: 'healthy' },
    activity: { kind: 'running_command', label: 'Writing' },
  });
  const header = talk.locator('header').first();
  await header.getByText('Writing').waitFor(TIMEOUT);
  const lent = postAs(proxy.token, `${harness.relay.url}/api/sessions/${session_id}/browser`, {});
  const decision = talk.getByRole('region', { name: 'Needs your decision' });
  await decision.getByText('Codex wants to use the browser', { exact: true }).waitFor(TIMEOUT);
  await decision.getByText('https://shop.example').first().waitFor();
  await header.getByText('Waiting for you').waitFor(TIMEOUT);
  expect(await header.getByText('Writing').count()).toBe(0);
  expect(await pageFaults(page)).toEqual([]);
  const allow = decision.getByRole('button', { name: 'Allow in this conversation' });
  await expect.poll(() => allow.getAttribute('data-armed'), TIMEOUT).toBe('true');
  await allow.click();
  expect((await lent).status).toBe(201);
  await header.getByText('Writing').waitFor(TIMEOUT);
  await talk.getByText('May use every lent tab').waitFor(TIMEOUT);
});
