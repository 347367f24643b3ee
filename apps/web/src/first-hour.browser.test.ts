import { openPage, pageFaults, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lendTab } from '../test/test-tab.ts';
import { promptOf, SIZES, type Size, sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

async function oneSession(session_id: string, more: object = {}) {
  const proxy = await harness.proxy(`machine of ${session_id}`);
  onTestFinished(() => proxy.link.close());
  proxy.list(sessionOf(session_id, { machine_label: `machine of ${session_id}`, ...more }));
  return proxy;
}

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`walks by keyboard alone from the list to Deny in at most five stops, at ${size} size`, async () => {
    const session_id = `keys_${size}`;
    const proxy = await oneSession(session_id);
    const { page } = await visit(harness, { size });
    proxy.send(promptOf(session_id, 'p1', 'Pay?\nWhere: https://shop.example\nAmount: 49 €\n· "id": "7"'));
    await page.getByRole('alert').getByText('An agent waits for your decision.').waitFor(TIMEOUT);
    await page.evaluate(() => document.body.focus());
    const deny = page.getByRole('button', { name: 'Deny', exact: true });
    await page.keyboard.press('Tab');
    await page
      .getByRole('button', { name: 'Go to the waiting decision' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Needs your decision' });
    await card.and(page.locator(':focus')).waitFor(TIMEOUT);
    await deny.and(page.locator('[data-armed=true]')).waitFor();
    let stops = 1;
    do {
      await page.keyboard.press('Tab');
      stops += 1;
    } while (stops < 5 && (await deny.and(page.locator(':focus')).count()) === 0);
    await page.keyboard.press('Enter');
    expect(await proxy.next('permission_response')).toMatchObject({ prompt_id: 'p1', choice_id: 'no' });
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test(`reads a closed session from the list and from a search, and starts it again, at ${size} size`, async () => {
    const session_id = `over_${size}`;
    const folder = '/work/lamps';
    const proxy = await oneSession(session_id, { workspace_path: folder, agent_type: 'codex' });
    proxy.sendMessage(session_id, `The brass ${size} lamp is in the cart.`);
    const { page, go } = await visit(harness, { size, path: `/s/${session_id}` });
    await page.getByRole('main').getByText(`The brass ${size} lamp`).waitFor();
    await page
      .getByRole('main')
      .getByRole('button', { name: `Actions for Name of ${session_id}` })
      .click();
    await page.getByRole('menuitem', { name: 'Close session' }).click();
    await go('/');
    const { request_id } = await proxy.next('close_session');
    proxy.send({ type: 'session_closed', session_id, request_id, reason: 'user_requested' });
    await page.locator(`a[href="/s/${session_id}"]`).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show closed sessions' }).click();
    const overs = page.getByRole('region', { name: 'Closed' });
    await overs.getByText('Codex · machine of').first().waitFor(TIMEOUT);
    const choose = async (name: string, item: string) => {
      await overs.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose(`Name of ${session_id}`, 'Rename');
    await page.getByRole('dialog').getByLabel('Name').fill(`Old ${size}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await choose(`Old ${size}`, 'Archive');
    await overs.getByText(`Old ${size}`).waitFor({ state: 'detached' });
    await overs.getByRole('button', { name: 'Show archived (1)' }).click();
    await choose(`Old ${size}`, 'Delete for good');
    const deleting = page.getByRole('dialog', { name: `Delete Old ${size} for good?` });
    await deleting.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await choose(`Old ${size}`, 'Rename');
    await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await overs.getByText(`Name of ${session_id}`).click();
    await page.getByRole('main').getByText(`The brass ${size} lamp`).waitFor(TIMEOUT);
    expect(await pageFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('main').getByText(`The brass ${size} lamp`).waitFor(TIMEOUT);
    await go('/');
    await page.getByRole('searchbox').fill(`brass ${size}`);
    await page
      .getByRole('link', { name: /Closed session/ })
      .filter({ hasText: size })
      .click();
    await page.getByRole('heading', { name: `Name of ${session_id}` }).waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Start again' }).click();
    const launch = await proxy.next('launch_session');
    expect(launch).toMatchObject({ agent_type: 'codex', workspace_path: folder });
    proxy.list(sessionOf(`again_${size}`));
    proxy.send({ type: 'session_launch_ack', request_id: launch.request_id, session_id: `again_${size}` });
    await page.getByRole('heading', { name: `Name of again_${size}` }).waitFor(TIMEOUT);
    await go('/');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Show closed sessions' }).click();
    await page.getByRole('button', { name: 'Show archived (1)' }).click();
    await choose(`Name of ${session_id}`, 'Delete for good');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await overs.getByText(`Name of ${session_id}`).waitFor({ state: 'detached' });
    await expect.poll(() => harness.relay.ledger.session(session_id), TIMEOUT).toBeUndefined();
  });

  test(`a stop that is not confirmed offers to end the agent or to wait, at ${size} size`, async () => {
    const session_id = `stuck_${size}`;
    const proxy = await oneSession(session_id, { activity: { kind: 'generating' } });
    const { page } = await visit(harness, { size, path: `/s/${session_id}` });
    const stop = async () => {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      const { request_id } = await proxy.next('agent_interrupt');
      const error = { code: 'control_failed', message: 'It did not answer.' };
      const of = { session_id, request_id, command: 'agent_interrupt', result: 'failed', error };
      proxy.send({ type: 'agent_control_result', ...of });
      await page.getByText('Not stopped: It did not answer.').waitFor(TIMEOUT);
    };
    await stop();
    await page.getByRole('button', { name: 'Wait', exact: true }).click();
    await page.getByText('Not stopped').waitFor({ state: 'detached' });
    await stop();
    expect(await pageFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'End the agent' }).click();
    await proxy.next('close_session');
  });

  test(`says that no model is set, with requests that work without one, at ${size} size`, async () => {
    const { page, go } = await visit(harness, { size, role: 'owner', path: '/tasks' });
    await page.getByText('No model is set').waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Search for a lamp', exact: true }).click();
    expect(await page.getByLabel('Describe the task').inputValue()).toBe('Search for a lamp');
    expect(await pageFaults(page)).toEqual([]);
    await page.getByLabel('Start on this page').fill('127.0.0.1:7720');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Start the task' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ url: 'http://127.0.0.1:7720' });
    await page.getByRole('link', { name: 'Set a model' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await go('/');
    const halt = page.getByRole('button', { name: 'Stop everything' });
    await halt.and(page.locator(':visible')).click();
    await page.getByRole('dialog', { name: 'Stop everything?' }).waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
}

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`lists the first steps until they are hidden, and explains the words, at ${size} size`, async () => {
    const { page, go } = await visit(harness, { size, role: 'owner', isFresh: true });
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Lend a browser').waitFor(TIMEOUT);
    expect(await pageFaults(page)).toEqual([]);
    await steps.getByRole('button', { name: 'Set a model' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await go('/');
    await page.getByRole('button', { name: 'Help' }).and(page.locator(':visible')).click();
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.getByText('a browser tab that agents may read and act in').waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await steps.getByRole('button', { name: 'Hide these steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Start an agent' }).first().waitFor();
    expect(await steps.count()).toBe(0);
  });

  test(`[BRG-200] one press after a stop lets agents read and act again, once confirmed, at ${size} size`, async () => {
    const tab = lendTab(harness, `halted_${size}`);
    onTestFinished(tab.close);
    const { page, go } = await visit(harness, { size });
    await page.getByRole('button', { name: 'Stop everything' }).and(page.locator(':visible')).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
    const grants = () => harness.relay.bridge.runtimes().flatMap((each) => each.grants ?? []);
    const asked = page.getByRole('region', { name: 'Confirm that it is you' });
    await page.getByRole('button', { name: 'Let agents go on' }).click();
    await asked.getByText('read and act in every lent tab again').waitFor();
    await asked.getByText('drawbridge devices --approve').waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This was refused.').waitFor();
    expect(grants()).toEqual([]);
    await page.getByRole('button', { name: 'Let agents go on' }).click();
    await asked.waitFor();
    await harness.confirm();
    await page.getByText('Agents may read and act in 1 lent tab again.').waitFor();
    expect(await pageFaults(page)).toEqual([]);
    await go('/tabs');
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await page.getByText('Nothing: it asks each time.').waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Let agents read and act here' }).click();
    await asked.getByText('in the tab “Desk lamps” again').waitFor();
    await harness.confirm();
    await page.getByText('given by').first().waitFor(TIMEOUT);
    const { talk } = await visit(harness, { size, role: 'owner', path: '/audit' });
    const again = (where: string) => talk.getByText(`let agents read and act in ${where} again.`).first();
    await again('lent tabs').waitFor(TIMEOUT);
    await again('“Desk lamps”').waitFor();
  });
}

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`shows a session's tokens and cost, and copies a message, at ${size} size`, async () => {
    const session_id = `spent_${size}`;
    const proxy = await oneSession(session_id);
    proxy.sendMessage(session_id, 'Both lamps are ordered.');
    const usage = { kind: 'usage', used: 84_200, size: 200_000, cost: { amount: 1.25, currency: 'EUR' } };
    proxy.sendMessage(session_id, 'Usage.', { role: 'system', metadata: { details: usage } });
    const { page, context, talk } = await visit(harness, { size, path: `/s/${session_id}`, isFresh: true });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await talk.getByText('Both lamps are ordered.').hover();
    await talk.getByRole('button', { name: 'Copy the message' }).first().click();
    await talk.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Both lamps are ordered.');
    // Beside the conversation at the desk.
    if (size === 'phone') await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('84.2 k / 200 k tokens').waitFor();
    await details.getByText('€1.25').waitFor();
    expect(await pageFaults(page)).toEqual([]);
  });

  test(`[CHT-347] a reload while pairing repeats the pairing, and leaves one device and no secret, at ${size} size`, async () => {
    await pairWithReload(size);
  });
}

async function pairWithReload(size: Size): Promise<void> {
  const label = `Reloaded ${size}`;
  const link = await harness.pairLink('person', label);
  const { page, close } = await openPage(SIZES[size]);
  onTestFinished(close);
  const claimed = Promise.withResolvers<void>();
  // The relay answers the first claim, and the page never gets the answer.
  await page.route('**/api/pair', async (route) => {
    await route.fetch();
    claimed.resolve();
  });
  await page.goto(link);
  await claimed.promise;
  await page.unroute('**/api/pair');
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor(TIMEOUT);
  const devices = await harness.relay.devices.list();
  expect(devices.filter((device) => device.label === label)).toHaveLength(1);
  expect(new URL(page.url()).hash).toBe('');
}

test('ticks each first step when it is done, and hides the list after the last', async () => {
  await using own = await openWebHarness();
  const { page, go } = await visit(own, { role: 'owner', isFresh: true });
  const steps = page.getByRole('region', { name: 'First steps' });
  const ticked = async (): Promise<string[]> => {
    // Another screen and back: the list is read at once, and otherwise every five seconds.
    await go('/tabs');
    await steps.waitFor({ state: 'detached' });
    await go('/');
    await steps.waitFor(TIMEOUT);
    const done = await steps.getByRole('listitem').filter({ hasText: '· done' }).allTextContents();
    expect(await steps.getByText(`${done.length} of 4 done`).count()).toBe(1);
    return done.map((text) => text.replace(' · done', ''));
  };
  await steps.getByText('0 of 4 done').waitFor(TIMEOUT);
  lendTab(own);
  await expect.poll(ticked, TIMEOUT).toEqual(['Lend a browser']);
  (await own.proxy()).list(sessionOf('first'));
  await expect.poll(ticked, TIMEOUT).toEqual(['Lend a browser', 'Connect an agent']);
  const phone = await own.relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const me = { headers: { authorization: `Bearer ${phone.token}` } };
  expect((await fetch(`${own.url}/api/me`, me)).status).toBe(200);
  await expect.poll(ticked, TIMEOUT).toEqual(['Lend a browser', 'Connect an agent', 'Let in another device']);
  const asOwner = { authorization: `Bearer ${own.relay.devices.owner?.token}` };
  const body = JSON.stringify({ provider: 'openai', model: 'small', api_key: 'sk-test' });
  const chosen = await fetch(`${own.url}/api/settings/model`, { method: 'PUT', headers: asOwner, body });
  expect(chosen.status).toBe(200);
  await go('/tabs');
  await go('/');
  await steps.waitFor({ state: 'detached' });
});

for (const size of sampled(['desk', 'phone'] as const, 2)) {
  test(`every shortcut, the skip link and each dialog put the focus where a person goes on, at ${size} size`, async () => {
    const session_id = `focus_${size}`;
    const proxy = await oneSession(session_id);
    const { page, go } = await visit(harness, { size, role: 'owner' });
    const focused = (role: 'searchbox' | 'combobox' | 'region' | 'button' | 'main', name?: string) =>
      page
        .getByRole(role, name === undefined ? {} : { name, exact: true })
        .and(page.locator(':focus'))
        .waitFor(TIMEOUT);
    proxy.send(promptOf(session_id, 'p1', 'Pay?\nWhere: https://shop.example\n· "id": "7"'));
    await page.getByRole('alert').getByText('An agent waits for your decision.').waitFor(TIMEOUT);
    await page.keyboard.press('/');
    await focused('searchbox');
    // A letter is typed here, and is no shortcut.
    await page.keyboard.press('d');
    expect(await page.getByRole('searchbox').inputValue()).toBe('d');
    await page.getByRole('searchbox').fill('');
    await page.keyboard.press('Control+k');
    await focused('combobox');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('d');
    await focused('region', 'Needs your decision');
    await page.getByRole('button', { name: 'Go to the content' }).focus();
    await page.keyboard.press('Enter');
    await focused('main');
    await go('/devices');
    await page.getByRole('button', { name: 'Revoke', exact: true }).first().click();
    await focused('button', 'Cancel');
    expect(await pageFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
}
