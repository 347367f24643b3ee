import { afterAll, beforeAll, expect, test } from 'vitest';
import { rememberedText } from '../test/remembered-text.ts';
import { promptOf, SIZES, type Size, sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

let harness: WebHarness;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
});
afterAll(() => harness.close());

let count = 0;
/** A proxy with one session. */
async function oneSession(more: object = {}) {
  count += 1;
  const session_id = `talk_${count}`;
  const proxy = await harness.proxy(`machine ${count}`);
  proxy.list(sessionOf(session_id, more));
  return { session_id, proxy, path: `/s/${session_id}` };
}

test.each<Size>(['phone', 'desk'])(
  '[CHT-134] a message is shown at once, and its ticks tell how far it came (%s)',
  async (size) => {
    const { session_id, proxy, path } = await oneSession();
    const { talk, ticks, write } = await visit(harness, { size, path });
    await write('Please run the tests');
    await talk.getByText('Please run the tests').waitFor();
    await ticks('accepted').waitFor();
    const { client_message_id, attempt = 1 } = await proxy.next('send_message');
    proxy.send({ type: 'proxy_send_result', session_id, client_message_id, attempt, result: 'delivered' });
    await ticks('delivered').waitFor();
    proxy.sendMessage(session_id, 'All **312** pass.', { message_id: 'answer' });
    await talk.locator('strong', { hasText: '312' }).waitFor();
    await ticks('started').waitFor();
    proxy.sendMessage(session_id, 'All **312** pass, twice.', { message_id: 'answer' });
    await talk.getByText('pass, twice').waitFor();
    expect(await talk.locator('article').count()).toBe(2);
  },
);

test('[CHT-315] [CHT-354] [CHT-359] [CHT-370] [CHT-371] blocks of a newer peer have their frames, and its work is among the details', async () => {
  const { session_id, proxy, path } = await oneSession();
  const { page, talk } = await visit(harness, { size: 'desk', path });
  proxy.sendMessage(session_id, 'Shall I?', {
    message_id: 'blocks',
    content_blocks: [
      { type: 'prompt', label: 'Run it?', content: 'rm -r build', actions: [{ id: 'y', label: 'Yes' }] },
      { type: 'banner', label: 'Limit', content: 'Almost full.', tone: 'warning' },
      { type: 'queued', content: 'Then ship.', status: 'queued' },
      { type: 'error', content: 'It ended.' },
      { type: 'status', label: 'Tests', status: 'working' },
      { type: 'artifact', label: 'page.html', artifact_type: 'text/html', content: '<b>kept as text</b>' },
      { type: 'tool_call', label: 'npm test', status: 'running', call_id: 'c1' },
      { type: 'tool_result', label: 'npm test', status: 'done', content: '3 passed', call_id: 'c1' },
    ],
  });
  const block = (name: string) => talk.getByRole('region', { name });
  await block('page.html').getByText('<b>kept as text</b>').waitFor();
  const choices = block('Run it?').getByRole('list', { name: 'Choices at the agent' });
  expect(await choices.textContent()).toBe('Yes');
  for (const [name, text] of [
    ...[
      ['Limit', 'Almost full.'],
      ['Queued message', 'Then ship.'],
      ['Queued message', 'queued'],
    ],
    ...[
      ['Error', 'It ended.'],
      ['Tests', 'working'],
      ['page.html', 'text/html'],
    ],
  ] as const)
    await block(name ?? '')
      .getByText(text ?? '', { exact: true })
      .waitFor();
  expect(await talk.getByText('npm test').count()).toBe(1);
  const goal = { goal: { text: 'Ship it' }, current: { label: 'Runs the tests' } };
  const task_list = { tasks: [{ text: 'Fix the build', state: 'completed' }] };
  proxy.send({ type: 'proxy_status', session_id, activity: { kind: 'working', ...goal, task_list } });
  for (const text of ['Ship it', 'Runs the tests', 'Fix the build']) await page.getByText(text).waitFor();
  const pause = page.getByRole('button', { name: 'Pause goal' });
  expect(await pause.count()).toBe(0);
  proxy.send({ type: 'agent_config', session_id, model_id: 'm', capabilities: { goal_pause_resume: true } });
  const resume = page.getByRole('button', { name: 'Resume goal' });
  const answer = async (action: string, result: object): Promise<void> => {
    const { request_id, type: command, ...asked } = await proxy.next('agent_goal_control');
    expect(asked).toMatchObject({ session_id, action });
    proxy.send({ type: 'agent_control_result', request_id, session_id, command, ...result });
  };
  await pause.click();
  await answer('pause', { result: 'ok', native_acknowledged: true });
  await pause.waitFor({ state: 'detached' });
  await resume.click();
  const refused = { result: 'failed', error: { code: 'agent_not_active', message: 'There is no goal.' } };
  await answer('resume', refused);
  await page.getByText('The goal was not changed: There is no goal.').waitFor();
  expect(await pause.isVisible()).toBe(true);
  await resume.click();
  await answer('resume', { result: 'ok', native_acknowledged: true });
  await resume.waitFor({ state: 'detached' });
  proxy.send({ type: 'rate_limit_active', session_id, percent_used: 91.4 });
  await page.getByText('91 % used').waitFor();
  proxy.send({ type: 'rate_limit_cleared', session_id });
  await page.getByText('91 % used').waitFor({ state: 'detached' });
  proxy.send({ type: 'proxy_status', session_id, activity: { kind: 'idle' } });
  await page.getByText('Runs the tests').waitFor({ state: 'detached' });
  expect(await page.getByText('Ship it').isVisible()).toBe(true);
});

test('[CHT-337] [CHT-338] [CHT-341] a message for later waits below the conversation, and can be cancelled', async () => {
  const { session_id, proxy, path } = await oneSession({ activity: { kind: 'generating' } });
  const { page, talk, composer, write } = await visit(harness, { size: 'phone', path });
  const waiting = page.getByRole('list', { name: 'Messages to be sent later' });
  const later = async (text: string, when: string): Promise<void> => {
    await composer.fill(text);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: when }).click();
    await waiting.getByText(text).waitFor();
    await expect.poll(() => composer.inputValue(), TIMEOUT).toBe('');
  };
  await later('Then deploy it', 'When the agent is done');
  await later('Say good morning', 'Tomorrow at 9:00');
  await page.reload();
  await waiting.getByText('Then deploy it').waitFor();
  await waiting.getByText('Sends when the agent is done').waitFor();
  const tomorrow = waiting.getByRole('listitem').filter({ hasText: 'Say good morning' });
  expect(await tomorrow.textContent()).toContain('Sends at');
  await tomorrow.getByRole('button', { name: 'Don’t send' }).click();
  await tomorrow.waitFor({ state: 'detached' });
  proxy.send({ type: 'proxy_status', session_id, activity: { kind: 'idle' } });
  expect((await proxy.next('send_message')).content).toBe('Then deploy it');
  await talk.getByText('Then deploy it').waitFor();
  await waiting.waitFor({ state: 'detached' });
  await write('and thank you');
});

test('[CHT-135] [CHT-134] a message sent offline waits visibly, and arrives once, also after a reload', async () => {
  const { session_id, proxy, path } = await oneSession();
  const { page, talk, ticks, write } = await visit(harness, { size: 'phone', path });
  await page.getByText('No messages yet').waitFor();
  proxy.sendMessage(session_id, 'Said while there was a network');
  await talk.getByText('Said while there was a network').waitFor();
  await expect.poll(() => page.evaluate(rememberedText), TIMEOUT).toContain('Said while there was a network');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  harness.goOffline();
  try {
    await page.getByText('No connection to the relay').waitFor();
    await write('first, without a network');
    await ticks('queued').waitFor();
    await page.getByText('1 message waits here').waitFor();
    // The shell comes from the service worker, the message from IndexedDB.
    await page.reload();
    await page.getByText('No connection to the relay').waitFor();
    await page.getByText('1 message waits here').waitFor();
    await talk.getByText('first, without a network').waitFor();
    await ticks('queued').waitFor();
    // Earlier messages are there too, and not unread.
    await talk.getByText('Said while there was a network').waitFor();
    await page.getByText('Last updated').waitFor();
  } finally {
    harness.goOnline();
  }
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const { client_message_id, content } = await proxy.next('send_message');
  expect(content).toBe('first, without a network');
  proxy.send({ type: 'proxy_send_result', session_id, client_message_id, result: 'delivered' });
  await ticks('delivered').waitFor();
  await write('second');
  const second = await proxy.next('send_message');
  expect(second.content, 'nothing came twice').toBe('second');
  expect(await talk.getByText('first, without a network').count()).toBe(1);
  expect(await talk.getByText('Said while there was a network').count()).toBe(1);
  expect(await page.getByText('Last updated').count()).toBe(0);
});

test('[CHT-162] an unknown delivery can be sent again or dropped', async () => {
  const { proxy, path, session_id } = await oneSession();
  const { page, ticks, write } = await visit(harness, { path });
  await write('one');
  await proxy.next('send_message');
  const again = await proxy.restart();
  again.list(sessionOf(session_id));
  await ticks('unknown').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  const resent = await again.next('send_message');
  expect(resent.content).toBe('one');
  await again.restart();
  await ticks('unknown').waitFor();
  await page.getByRole('button', { name: 'Drop' }).click();
  await ticks('unknown').waitFor({ state: 'detached' });
});

test('[CHT-349] a send in doubt says that it is being checked, and then what is known', async () => {
  const session_id = 'in_doubt';
  const proxy = await harness.proxy('machine in doubt', true);
  proxy.list(sessionOf(session_id));
  const { page, ticks, write } = await visit(harness, { path: `/s/${session_id}` });
  await write('one');
  const { client_message_id } = await proxy.next('send_message');
  proxy.link.close();
  await page.getByText('Checking whether the agent has it…').waitFor();
  // The agent may have it: nothing to edit, to take back or to send again.
  for (const name of ['Edit', 'Take back', 'Send again'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  const back = await proxy.restart();
  back.list(sessionOf(session_id));
  const { attempt = 1 } = await back.next('send_message');
  back.send({ type: 'proxy_send_result', session_id, client_message_id, attempt, result: 'delivered' });
  await ticks('delivered').waitFor();
  expect(await page.getByText('Checking whether the agent has it…').count()).toBe(0);
});

test('a message waiting in the relay can be edited and taken back', async () => {
  const { proxy, path, session_id } = await oneSession();
  const { page, talk, ticks, write } = await visit(harness, { path });
  await page.getByText('No messages yet').waitFor();
  proxy.link.close();
  await page.getByText('The agent’s machine is offline').waitFor();
  await write('Deploy');
  await ticks('accepted').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit' }).fill('Deploy to staging');
  await page.getByRole('button', { name: 'Save' }).click();
  await talk.getByText('edited', { exact: true }).waitFor();
  await write('And tell everybody');
  await talk.getByText('And tell everybody').waitFor();
  await page
    .locator('article', { hasText: 'tell everybody' })
    .getByRole('button', { name: 'Take back' })
    .click();
  await talk.getByText('Taken back before it was delivered').waitFor();
  const back = await proxy.restart();
  back.list(sessionOf(session_id));
  expect((await back.next('send_message')).content).toBe('Deploy to staging');
});

test('a message in transit to the relay can be taken back', async () => {
  const { proxy, path } = await oneSession();
  const { page, talk, write } = await visit(harness, { path });
  let isHeld = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/ws\/chat/, (client) => {
    client.connectToServer().onMessage((data) => {
      if (isHeld) held.push(() => client.send(data));
      else client.send(data);
    });
  });
  await page.reload();
  proxy.link.close();
  await page.getByText('The agent’s machine is offline').waitFor();
  isHeld = true;
  await write('Deploy');
  await expect.poll(() => held.length, TIMEOUT).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Take back' }).click();
  await talk.getByText('Deploy').waitFor({ state: 'detached' });
  isHeld = false;
  for (const tell of held) tell();
  await talk.getByText('Taken back before it was delivered').waitFor();
});

test('a draft survives a reload, and belongs to one session', async () => {
  const { path } = await oneSession();
  const other = await oneSession();
  const { page, composer, go } = await visit(harness, { path });
  await composer.fill('half a thought');
  await page.reload();
  await expect.poll(() => composer.inputValue(), TIMEOUT).toBe('half a thought');
  await go(other.path);
  await expect.poll(() => composer.inputValue(), TIMEOUT).toBe('');
});

test('attaches a picked file, sends it with its message, and shows it', async () => {
  const { proxy, path } = await oneSession();
  const { page, write } = await visit(harness, { path });
  await page.getByText('No messages yet').waitFor();
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  // Offers the camera on touch devices only.
  const camera = page.locator('input[capture=environment]');
  expect(await camera.getAttribute('accept')).toBe('image/*');
  expect(await page.getByRole('button', { name: 'Take a photo' }).count()).toBe(0);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: picture });
  await page.getByRole('button', { name: 'Remove dot.png' }).waitFor();
  await expect.poll(() => page.getByText('uploading').count(), TIMEOUT).toBe(0);
  await write('See the dot');
  expect((await proxy.next('send_message')).attachments).toMatchObject([{ name: 'dot.png', kind: 'image' }]);
  const image = page.getByRole('img', { name: 'dot.png' });
  await expect
    .poll(() => image.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth), TIMEOUT)
    .toBe(1);
});

test('a long conversation opens where it was left, loads older pages, and does not jump', async () => {
  const { proxy, path, session_id } = await oneSession();
  const say = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      proxy.sendMessage(session_id, `message ${at}\n\n${'words '.repeat(at % 40)}`, { message_id: `m${at}` });
    }
  };
  say(0, 300);
  const head = async () => (await harness.relay.ledger.session(session_id))?.head ?? 0;
  await expect.poll(head, TIMEOUT).toBeGreaterThanOrEqual(300);
  const { page, talk } = await visit(harness, { size: 'phone', path, isFresh: true });
  const row = (at: number) => talk.getByText(`message ${at}`, { exact: true });
  await row(299).waitFor();
  const history = page.getByRole('region', { name: 'Conversation' });
  // Simulates an on-screen keyboard.
  await page.setViewportSize({ width: 360, height: 420 });
  const toEnd = () => history.evaluate((node) => node.scrollHeight - node.clientHeight - node.scrollTop);
  await expect.poll(toEnd, TIMEOUT).toBeLessThan(20);
  await page.setViewportSize(SIZES.phone.viewport);
  const lastRead = () => page.evaluate(() => localStorage.getItem('drawbridge') ?? '');
  await expect.poll(lastRead, TIMEOUT).toContain('m299');
  await page.getByRole('button', { name: 'Back to sessions' }).click();
  say(300, 330);
  await page.getByRole('img', { name: '30 unread' }).waitFor();
  await page.locator(`a[href="${path}"]`).click();
  await page.getByText('New since your last visit').waitFor();
  await row(300).waitFor();
  expect(await row(329).count(), 'opens at the first unread').toBe(0);

  /** A visible row with its position, and the length of the conversation. */
  const look = (text?: string) =>
    history.evaluate((node, wanted) => {
      const { top, bottom } = node.getBoundingClientRect();
      const shown = [...node.querySelectorAll('p')].find((one) => {
        const at = one.getBoundingClientRect();
        const isNamed =
          wanted === undefined ? /^message \d+$/.test(one.textContent) : one.textContent === wanted;
        return isNamed && (wanted !== undefined || (at.top > top + 40 && at.bottom < bottom));
      });
      return {
        text: shown?.textContent ?? 'nothing',
        top: Math.round(shown?.getBoundingClientRect().top ?? 0),
        height: node.scrollHeight,
      };
    }, text);

  const reading = await look();
  say(330, 340);
  await page.locator(`a[href="${path}"]`, { hasText: 'message 339' }).waitFor({ state: 'attached' });
  const later = await look(reading.text);
  expect(Math.abs(later.top - reading.top), 'news below moves nothing').toBeLessThanOrEqual(2);

  await history.dispatchEvent('wheel');
  await history.evaluate((node) => node.scrollTo({ top: 200 }));
  for (;;) {
    const before = await look();
    await history.evaluate((node) => node.scrollTo({ top: 60 }));
    await expect
      .poll(async () => (await look()).height > before.height || (await row(0).count()) > 0, TIMEOUT)
      .toBe(true);
    if ((await row(0).count()) > 0) break;
  }
  const inPage = await history.evaluate((node) => node.querySelectorAll('[data-index]').length);
  expect(inPage, 'only what is near the screen is in the page').toBeLessThan(80);

  await page.getByRole('button', { name: 'Back to sessions' }).click();
  say(340, 370);
  proxy.send(promptOf(session_id, 'p1', 'Pay?\nWhere: https://shop.example'));
  await page.getByRole('region', { name: 'Needs you' }).locator(`a[href="${path}"]`).click();
  await talk.getByRole('button', { name: 'Deny', exact: true }).waitFor();
  const message = 'a waiting decision comes before what is unread';
  await expect.poll(toEnd, { ...TIMEOUT, message }).toBeLessThan(20);
});

test("folds and unfolds an agent's actions", async () => {
  const { proxy, path, session_id } = await oneSession();
  const details = (value: object) => ({ metadata: { details: value } });
  proxy.sendMessage(
    session_id,
    'ran it',
    details({
      kind: 'tool_call',
      tool_call_id: 't',
      title: 'npm test',
      status: 'failed',
      input: { folder: '/srv/shop', flags: ['--once'] },
      output: '{"failed":1}',
    }),
  );
  proxy.sendMessage(
    session_id,
    'changed',
    details({
      kind: 'tool_call',
      tool_call_id: 'd',
      title: 'Edit',
      status: 'completed',
      diffs: [{ path: 'src/a.ts', old_text: 'let a = 1;', new_text: 'let a = 2;' }],
    }),
  );
  proxy.sendMessage(
    session_id,
    'plan',
    details({
      kind: 'plan',
      steps: [
        { text: 'Find it', status: 'completed' },
        { text: 'Fix it', status: 'active' },
      ],
    }),
  );
  proxy.sendMessage(
    session_id,
    'step',
    details({
      kind: 'step',
      task_id: 'k',
      index: 0,
      action: 'click(7)',
      status: 'ok',
      subject: 'Add to cart',
      changes: ['+ Cart (1)'],
    }),
  );
  proxy.sendMessage(session_id, 'Use `code`:\n\n```ts\nconst a = 1;\n```');
  const { page, talk } = await visit(harness, { path });
  await talk.getByRole('button', { name: /npm test/ }).click();
  await talk.getByText('Folder: /srv/shop').waitFor();
  await talk.getByText('Failed: 1').waitFor();
  await talk.getByText('let a = 2;').waitFor();
  expect(await talk.getByText('1 of 2 done').count()).toBe(1);
  await talk.getByRole('button', { name: 'Press “Add to cart”' }).click();
  await talk.getByText('+ Cart (1)').waitFor();
  expect(await page.locator('body').textContent(), 'no calls, no JSON').not.toMatch(
    /click\(|"failed"|"folder"/,
  );
  await talk.getByRole('button', { name: 'Copy code' }).last().waitFor();
  await page.getByRole('complementary', { name: 'Details' }).getByText('Fix it').waitFor();
});

test('the session list keeps its order under the mouse, and sorts again without it', async () => {
  const [one, two] = ['list_one', 'list_two'];
  const proxy = await harness.proxy('machine of the list');
  proxy.list(sessionOf(one), sessionOf(two));
  proxy.sendMessage(two, 'Early.');
  proxy.sendMessage(one, 'Late.');
  const { page } = await visit(harness, { size: 'desk', path: '/' });
  const links = page.locator(`a[href*="/s/list_"]`);
  const order = () => links.evaluateAll((all) => all.map((each) => each.getAttribute('href')?.slice(3)));
  await links.filter({ hasText: 'Late.' }).waitFor();
  await expect.poll(order, TIMEOUT).toEqual([one, two]);
  await links.first().hover();
  proxy.sendMessage(two, 'Latest.');
  await links.filter({ hasText: 'Latest.' }).waitFor();
  expect(await order()).toEqual([one, two]);
  await page.mouse.move(900, 300);
  await expect.poll(order, TIMEOUT).toEqual([two, one]);
});
