import { pageFaults, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { rememberedText } from '../test/remembered-text.ts';
import { promptOf, sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

/** Disposed after its test. */
async function oneProxy(machine_label: string) {
  const proxy = await harness.proxy(machine_label);
  onTestFinished(() => proxy.link.close());
  return proxy;
}

let count = 0;
async function oneSession(more: object = {}) {
  count += 1;
  const session_id = `control_${count}`;
  const proxy = await oneProxy(`machine ${count}`);
  proxy.list(sessionOf(session_id, more));
  return { session_id, proxy, path: `/s/${session_id}` };
}

const AGENTS = {
  claude: { agent_type: 'claude', display_name: 'Claude Code', version: '2.1.0', sign_in: 'done' },
  gemini: { agent_type: 'gemini', display_name: 'Gemini CLI', sign_in: 'needed', hint: 'gemini' },
} as const;

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`[CHT-307] offers the machines, agents and folders that are there, at ${size} size`, async () => {
    const { page } = await visit(harness, { size });
    await page.getByRole('button', { name: 'Start an agent' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No machine is connected.').waitFor();
    await dialog.getByText('drawbridge proxy', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Copy the command' }).first().waitFor();
    const proxy = await oneProxy('studio');
    proxy.list(sessionOf(`earlier ${size}`, { workspace_path: '/work/shop/lamps' }));
    proxy.send({
      type: 'proxy_offer',
      agents: [AGENTS.claude, AGENTS.gemini],
      workspaces: [{ path: '/work/shop', branch: 'main' }],
    });
    await dialog.getByRole('radio', { name: 'Claude Code 2.1.0' }).waitFor(TIMEOUT);
    await dialog.getByText('Not signed in. Run this there once:').waitFor();
    await dialog.getByRole('radio', { name: 'shop main' }).waitFor();
    expect(await dialog.getByRole('radio', { name: 'lamps recent' }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: 'Another folder…' }).check();
    await dialog.getByLabel('Path of the folder').fill('/etc');
    await dialog.getByText('This folder is not shared by the machine.').waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByLabel('Path of the folder').fill('/work/shop/docs');
    expect(await pageFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    const { request_id, workspace_path } = await proxy.next('launch_session');
    expect(workspace_path).toBe('/work/shop/docs');
    proxy.send({ type: 'session_launch_failed', request_id, error_code: 'agent_not_open', reason: 'No.' });
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });
}

test('[CHT-195] [CHT-265] shows a launch from start to session, across a reload, and why it failed', async () => {
  const proxy = await oneProxy('studio');
  proxy.list();
  proxy.send({ type: 'proxy_offer', agents: [AGENTS.gemini, AGENTS.claude], workspaces: [] });
  const { page } = await visit(harness, { size: 'phone' });
  const launch = async (agent: keyof typeof AGENTS) => {
    await page.getByRole('button', { name: 'Start an agent' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: AGENTS[agent].display_name }).check();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    return proxy.next('launch_session');
  };
  const failed = await launch('gemini');
  await page.getByText('Starting gemini…').waitFor();
  await page.reload();
  await page.getByText('Starting gemini…').waitFor();
  proxy.send({
    type: 'session_launch_failed',
    request_id: failed.request_id,
    error_code: 'agent_not_open',
    reason: 'Gemini is not running.',
  });
  await page.getByText('gemini was not started: Gemini is not running.').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const { request_id } = await launch('claude');
  proxy.list(sessionOf('launched', { display_name: 'Fresh Claude' }));
  proxy.send({ type: 'session_launch_ack', request_id, session_id: 'launched' });
  await page.getByRole('heading', { name: 'Fresh Claude' }).waitFor();
  expect(page.url()).toBe(`${harness.url}/s/launched`);
});

test('stops everything with one button, and names agents that did not stop', async () => {
  const proxy = await oneProxy('studio');
  proxy.list(sessionOf('busy', { display_name: 'Busy one', activity: { kind: 'generating' } }));
  const { page } = await visit(harness);
  await page.getByText('Busy one').waitFor();
  await page.getByRole('button', { name: 'Stop everything' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
  const { request_id, session_id } = await proxy.next('agent_interrupt');
  proxy.send({
    type: 'agent_control_result',
    session_id,
    request_id,
    command: 'agent_interrupt',
    result: 'ok',
  });
  await page.getByText('Stopped 1 agent and 0 browser calls.').waitFor();
});

for (const size of sampled(['phone', 'desk'] as const, 2)) {
  test(`pairs a browser once by link without leaving a secret, again by code, and shows a revocation at once, at ${size} size`, async () => {
    const link = await harness.pairLink();
    const { page } = await visit(harness, { size, isFresh: true, link });
    expect(page.url()).toBe(`${harness.url}/`);
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(() => indexedDB.deleteDatabase('drawbridge-browser-key'));
    await page.goto(link);
    await page.getByText('This link has been used').waitFor();
    expect(page.url()).toBe(`${harness.url}/`);

    const owner = await visit(harness, { role: 'owner', path: '/devices' });
    await page.getByRole('button', { name: 'Show a code' }).click();
    const code = page.getByTestId('code');
    await code.waitFor();
    await owner.page.getByLabel('Six-digit code').fill((await code.textContent()) ?? '');
    await owner.page.getByRole('button', { name: 'Let it in' }).click();
    await owner.page.getByRole('region', { name: 'Confirm that it is you' }).waitFor();
    await harness.confirm();
    const delivered = owner.page.getByText('was let in');
    const name = ((await delivered.textContent()) ?? '').replace(' was let in.', '');
    await page.getByText('Live', { exact: true }).waitFor();

    await owner.go('/');
    await owner.go('/devices');
    await owner.page.locator('li', { hasText: name }).getByRole('button', { name: 'Revoke' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('This device was signed out').waitFor();
    await page.getByRole('heading', { name: 'Pair this device' }).waitFor();
    await expect.poll(() => page.evaluate(storesOf), TIMEOUT).toEqual([]);
  });

  test.each(sampled(['closed', 'open'] as const, 2))(
    `a device that is revoked while it is offline and %s shows nothing at its next contact, and wipes its stores, at ${size} size`,
    async (state) => {
      const { session_id, proxy, path } = await oneSession({ display_name: 'Secret plans' });
      const label = `Lost ${state} ${size}`;
      const { page, context, composer } = await visit(harness, { size, path, label, isFresh: true });
      proxy.sendMessage(session_id, 'The launch code is brass.');
      const secret = /Secret plans|launch code|half a thought/;
      await page.getByRole('main').getByText('The launch code').waitFor();
      await composer.fill('half a thought');
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await expect.poll(() => page.evaluate(rememberedText), TIMEOUT).toContain('launch code');
      harness.goOffline();
      try {
        await page.reload();
        await page.getByRole('main').getByText('The launch code').waitFor();
        if (state === 'closed') await page.close();
        const lost = (await harness.relay.devices.list()).find((device) => device.label === label);
        const owner = await harness.relay.devices.authenticate(harness.relay.devices.owner?.token ?? '');
        if (lost === undefined || owner === undefined) throw new Error('no such device');
        await harness.relay.devices.revoke(lost.device_id, owner);
      } finally {
        harness.goOnline();
      }
      const again = state === 'closed' ? await context.newPage() : page;
      const seen: string[] = [];
      if (state === 'closed') {
        await again.exposeFunction('seen', (text: string) => seen.push(text));
        await again.addInitScript(() => {
          const look = () => Reflect.get(globalThis, 'seen')(document.body?.textContent ?? '');
          new MutationObserver(look).observe(document, {
            childList: true,
            characterData: true,
            subtree: true,
          });
        });
        await again.goto(harness.url + path);
      } else await again.evaluate(() => dispatchEvent(new Event('online')));
      await again.getByRole('heading', { name: 'Pair this device' }).waitFor(TIMEOUT);
      expect(seen.filter((text) => secret.test(text))).toEqual([]);
      expect(await again.content()).not.toMatch(secret);
      await expect.poll(() => again.evaluate(storesOf), TIMEOUT).toEqual([]);
      await again.reload();
      await again.getByRole('heading', { name: 'Pair this device' }).waitFor(TIMEOUT);
    },
  );
}

/** Databases and local texts of a device that this browser still has. */
async function storesOf(): Promise<readonly string[]> {
  const databases = (await indexedDB.databases()).map(({ name = '' }) => name);
  const texts = Object.entries(localStorage).map(([name, text]) => `${name}: ${text}`);
  const isLeft = (text: string) => /memory|outbox|drawbridge-device|launch code|half a thought/.test(text);
  return [...databases, ...texts].filter(isLeft);
}

test('[CHT-267] a prompt answered on one device disappears on the other, which shows who answered', async () => {
  const { session_id, proxy, path } = await oneSession();
  const phone = await visit(harness, { size: 'phone' });
  const desk = await visit(harness, { size: 'desk' });
  proxy.send(promptOf(session_id, 'p1'));
  // With nothing open, the empty pane leads to it.
  const offer = desk.page.getByRole('main').getByRole('region', { name: 'A decision is waiting' });
  await offer.getByText('Run npm publish?').waitFor();
  await offer.getByRole('button', { name: /^Decide in/ }).click();
  await desk.page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  const card = (page: typeof phone.page) => page.getByRole('region', { name: 'Needs your decision' });
  await card(desk.page).getByText('in web-shop').waitFor();
  await phone.page.getByRole('region', { name: 'Needs you' }).getByText('Run npm publish?').waitFor();
  await expect.poll(() => phone.page.title(), TIMEOUT).toBe('(1) Drawbridge');
  await phone.page.locator(`a[href="${path}"]`).click();
  const allow = card(phone.page).getByRole('button', { name: 'Allow once' });
  await allow.and(phone.page.locator('[data-armed=true]')).click();
  const response = await proxy.next('permission_response');
  expect(response).toMatchObject({ prompt_id: 'p1', choice_id: 'yes', answered_by: 'Ada\u2019s phone' });
  await phone.page.getByText('Sending your answer').waitFor();
  const { request_id = '' } = response;
  proxy.send({
    type: 'agent_control_result',
    session_id,
    request_id,
    command: 'permission_response',
    result: 'ok',
  });
  for (const { page } of [phone, desk]) {
    await card(page).waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Ada\u2019s phone answered: Allow once').waitFor();
  }
  const later = await visit(harness, { path });
  await later.page.getByRole('main').getByText('Ada\u2019s phone answered: Allow once').waitFor();
});

test('a decision higher than the screen opens at its top, and the list names its page and the time left', async () => {
  const { session_id, proxy, path } = await oneSession();
  for (let at = 0; at < 12; at += 1)
    proxy.sendMessage(session_id, `message ${at}\n\n${'words '.repeat(60)}`, { message_id: `tall${at}` });
  const many = (begin: string) => Array.from({ length: 14 }, (_, at) => `${begin}field ${at}: value ${at}`);
  const prompt_text = [
    ...['element.click on “Pay 49 €” at https://shop.example. This can’t be undone.'],
    ...['Where: https://shop.example', 'Page: The tall cart', 'Sends to: https://pay.example/charge'],
    ...[...many('Sends: '), ...many('· '), ...many('Step: ')],
  ].join('\n');
  proxy.send({ ...promptOf(session_id, 'tall'), prompt_text, timeout_ms: 600_000 });
  const { page } = await visit(harness, { size: 'phone' });
  const row = page.locator(`a[href="${path}"]`);
  await row.getByText('The tall cart').waitFor();
  await row.getByText(/^Expires in \d+ min$/).waitFor();
  await row.click();
  const card = page.getByRole('region', { name: 'Needs your decision' });
  await card.getByText('https://pay.example/charge').waitFor();
  const [history, asked] = [page.getByRole('region', { name: 'Conversation' }), card];
  const above = async () => {
    const [view, box] = [await history.boundingBox(), await asked.boundingBox()];
    return view && box && box.height > view.height ? Math.round(box.y - view.y) : undefined;
  };
  await expect.poll(above, TIMEOUT).toBeGreaterThanOrEqual(0);
  expect(await above()).toBeLessThan(40);
  // Nothing moves between the press and its release.
  await card.getByRole('button', { name: 'Allow once' }).and(page.locator('[data-armed=true]')).click();
  expect(await proxy.next('permission_response')).toMatchObject({ prompt_id: 'tall', choice_id: 'yes' });
});

test('ignores a tap at the moment the prompt appears', async () => {
  const { session_id, proxy, path } = await oneSession();
  const { page, ticks, write } = await visit(harness, { path });
  await page.getByText('No messages yet').waitFor();
  // Pressed by the page at the moment it appears.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const button = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'Allow once',
      );
      if (button === undefined) return;
      observer.disconnect();
      button.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  proxy.send(promptOf(session_id, 'p1'));
  await page.locator('[data-armed=true]').first().waitFor();
  // The composer stays usable; the proxy first gets the message, not an answer.
  await write('What does it publish?');
  await proxy.next('send_message');
  await ticks('accepted').waitFor();
  expect(await page.getByText('Sending your answer').count()).toBe(0);
});

test('[CHT-230] removes an expired prompt', async () => {
  const { session_id, proxy, path } = await oneSession();
  const { page } = await visit(harness, { path });
  proxy.send({ ...promptOf(session_id, 'p1'), timeout_ms: 1_500, default_choice: 'no' });
  await page.getByText('Needs your decision').waitFor();
  await page.getByRole('main').getByText('Expired: Deny').waitFor();
  await page.getByText('Needs your decision').waitFor({ state: 'detached' });
});

test('shows a question with a form to a late joiner, and sends typed answers', async () => {
  const { session_id, proxy, path } = await oneSession();
  const properties = {
    branch: { type: 'string', enum: ['main', 'dev'] },
    retries: { type: 'integer', title: 'Retries' },
    force: { type: 'boolean', title: 'Force' },
  };
  proxy.send({
    type: 'agent_question',
    session_id,
    question_id: 'q1',
    text: 'Where to?',
    form: { type: 'object', properties, required: ['branch'] },
  });
  const { page } = await visit(harness, { path });
  await page.reload();
  const form = page.getByRole('form', { name: 'A question for you' });
  await form.getByRole('button', { name: 'Answer' }).click();
  await form.getByText('required').waitFor();
  await form.getByLabel('branch').selectOption('dev');
  await form.getByLabel('Retries').fill('3');
  await form.getByLabel('Force').check();
  await form.getByRole('button', { name: 'Answer' }).click();
  const { request_id = '', ...answer } = await proxy.next('agent_answer');
  expect(answer).toMatchObject({ answer: 'accept', values: { branch: 'dev', retries: 3, force: true } });
  proxy.send({ type: 'agent_control_result', session_id, request_id, command: 'agent_answer', result: 'ok' });
  await form.waitFor({ state: 'detached' });
});

test('[CHT-242] [CHT-268] Stop is pending until the agent is confirmed to have stopped', async () => {
  const { session_id, proxy, path } = await oneSession({ activity: { kind: 'generating' } });
  const { page } = await visit(harness, { size: 'phone', path });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const stopping = page.getByRole('button', { name: 'Stopping…' });
  await stopping.waitFor();
  expect(await stopping.isDisabled()).toBe(true);
  const { request_id } = await proxy.next('agent_interrupt');
  proxy.send({
    type: 'agent_control_result',
    session_id,
    request_id,
    command: 'agent_interrupt',
    result: 'ok',
  });
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  proxy.send({ type: 'proxy_status', session_id, activity: { kind: 'idle' } });
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
});

test('[CHT-249] [CHT-269] shows a changed model only when the agent reports it', async () => {
  const { session_id, proxy, path } = await oneSession();
  const config = (model_id: string) =>
    proxy.send({
      type: 'agent_config',
      session_id,
      model_id,
      available_models: ['small', 'large'],
      permission_mode: 'ask',
      file_access_scope: 'workspace',
      capabilities: { set_model: true },
    });
  config('small');
  const { page } = await visit(harness, { path });
  const model = page.getByLabel('Model');
  await model.selectOption('large');
  await page.getByText('Changing to large…').waitFor();
  const { request_id = '', model_id } = await proxy.next('agent_set_model');
  expect(model_id).toBe('large');
  proxy.send({
    type: 'agent_control_result',
    session_id,
    request_id,
    command: 'agent_set_model',
    result: 'ok',
  });
  expect(await model.inputValue()).toBe('small');
  config('large');
  await page.getByText('Changing to large…').waitFor({ state: 'detached' });
  expect(await model.inputValue()).toBe('large');
  await page.getByText('asks for everything').waitFor();
  await page.getByText('the workspace').waitFor();
});

test('[CHT-203] [CHT-266] closing a session can be undone for a moment, then removes it from every tab', async () => {
  const { session_id, proxy, path } = await oneSession({ display_name: 'Release train' });
  const one = await visit(harness, { path });
  const other = await visit(harness, { size: 'phone' });
  const row = other.page.locator(`a[href="${path}"]`);
  await row.waitFor();
  const close = async () => {
    await one.talk.getByRole('button', { name: /^Actions for/ }).click();
    await one.page.getByRole('menuitem', { name: 'Close session' }).click();
    await one.page.getByText('Release train closes in a moment.').waitFor();
  };
  await close();
  await one.page.getByRole('button', { name: 'Undo' }).click();
  await one.page.getByText('closes in a moment').waitFor({ state: 'detached' });
  await close();
  // On any screen.
  await one.go('/');
  const { request_id } = await proxy.next('close_session');
  await one.page.getByText('Closing Release train…').waitFor();
  proxy.send({ type: 'session_closed', session_id, request_id, reason: 'user_requested' });
  await row.waitFor({ state: 'detached' });
  await one.page.locator(`a[href="${path}"]`).waitFor({ state: 'detached' });
  await one.page.getByText('Closing Release train…').waitFor({ state: 'detached' });
});

test('[CHT-283] a mode is confirmed by the person, and shown as changed when the agent reports it', async () => {
  const { session_id, proxy, path } = await oneSession();
  const config = (mode_id: string) =>
    proxy.send({
      ...{ type: 'agent_config', session_id, model_id: 'small', mode_id, permission_mode: 'ask' },
      available_modes: [
        { mode_id: 'ask', name: 'Ask first' },
        { mode_id: 'edits', name: 'Accept edits', description: 'Changes files without asking.' },
      ],
      capabilities: { permission_mode_change: true },
    });
  config('ask');
  const { page } = await visit(harness, { path });
  const mode = page.getByLabel('Permissions');
  await mode.selectOption('edits');
  const dialog = page.getByRole('dialog', { name: 'Change to Accept edits?' });
  await dialog.getByText('Changes files without asking.').waitFor();
  expect(await pageFaults(page, 'all', 'dialog[open]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await mode.inputValue()).toBe('ask');
  await mode.selectOption('edits');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('Changing to Accept edits…').waitFor();
  const { request_id = '', mode_id } = await proxy.next('agent_set_mode');
  expect(mode_id).toBe('edits');
  const done = { session_id, request_id, command: 'agent_set_mode', result: 'ok' };
  proxy.send({ type: 'agent_control_result', ...done });
  expect(await mode.inputValue()).toBe('ask');
  config('edits');
  await expect.poll(() => mode.inputValue(), TIMEOUT).toBe('edits');
  await page.getByText('Changing to Accept edits…').waitFor({ state: 'detached' });
});

test('shows health in three independent parts', async () => {
  const { proxy, path } = await oneSession({ status: 'agent_ui_changed' });
  const { page } = await visit(harness, { path });
  const health = page.getByRole('list', { name: 'Health' });
  await health.getByText('its window changed and can’t be read').waitFor();
  proxy.link.close();
  await health.getByText('not reachable').waitFor();
  expect(await health.textContent()).toContain('Relay ↔ agent’s machine: not connected');
  harness.goOffline();
  try {
    await expect
      .poll(() => health.textContent(), TIMEOUT)
      .toMatch(/relay: not connected.*machine: not known while offline/);
  } finally {
    harness.goOnline();
  }
});

test('pin, rename and archive apply to this device, in all its tabs', async () => {
  const { path } = await oneSession();
  const { page, context } = await visit(harness);
  const tab = await context.newPage();
  onTestFinished(() => tab.close());
  await tab.goto(harness.url);
  await tab.locator(`a[href="${path}"]`).waitFor();
  await page.bringToFront();
  const act = async (action: string) => {
    await page
      .locator('li', { has: page.locator(`a[href="${path}"]`) })
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await act('Rename');
  await page.getByLabel('Name', { exact: true }).fill('Release');
  await page.getByRole('button', { name: 'Save' }).click();
  await tab.getByText('Release', { exact: true }).waitFor();
  await act('Pin');
  await tab.getByLabel('Pinned').waitFor();
  await act('Archive');
  await tab.locator(`a[href="${path}"]`).waitFor({ state: 'detached' });
  await tab.getByRole('button', { name: /Show archived/ }).click();
  await tab.locator(`a[href="${path}"]`).waitFor();
});

test('two languages, and keyboard navigation by the palette', async () => {
  const { path } = await oneSession({ display_name: 'Palettentest' });
  const { page, go } = await visit(harness, { path: '/settings' });
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('palettentest');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Palettentest' }).waitFor();
  expect(page.url()).toBe(harness.url + path);
  await go('/settings');
  await page.getByLabel('Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});
