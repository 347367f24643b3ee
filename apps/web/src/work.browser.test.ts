import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { askInPage, listenOnLoopback, pageFaults, sampled } from '@drawbridge/testbed';
import { encode } from 'uqr';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lendTab } from '../test/test-tab.ts';
import { promptOf, type Size, sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type WebHarness } from '../test/web-harness.ts';

const USAGE = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
const CLICK = { thought: 'It goes into the cart.', action: 'click(7)' };
const OPEN = { thought: 'It may be cheaper there.', action: 'navigate("https://shop.example/lamps")' };
const DONE = { thought: 'It is ordered.', action: 'finish()', status: 'completed' as const };
const ASK = { status: 'needs_user_input' as const, userQuestion: 'Which size?' };
const LINES = [CLICK, OPEN, ASK, DONE, CLICK, DONE];
interface Asked {
  readonly said?: readonly string[];
  readonly now: number;
}
/** An action as programs write it. */
const RAW_CALL = /\b(?:click|navigate|finish)\(/;
const FIRST_LINES = 4;

/** A brain that takes the steps of a script. */
function scriptedBrain() {
  const left = [...LINES];
  /** The second task waits until the test lets it go on. */
  const thinking = Promise.withResolvers<void>();
  /** Messages that the brain received. */
  const received: string[] = [];
  const brain = () => ({
    name: 'scripted',
    async step({ said, now }: Asked) {
      received.push(...(said ?? []));
      if (left.length === LINES.length - FIRST_LINES) await thinking.promise;
      const answer = left.shift() ?? DONE;
      return { memory: { spent: { ...USAGE, steps: 1, began: now } }, answer, usage: USAGE };
    },
  });
  return { brain, thinking, received };
}

let harness: WebHarness;
const script = scriptedBrain();
beforeAll(async () => {
  const { brain } = script;
  harness = await openWebHarness({ brain, notices: { retryMs: [], loopback: true } });
  await fetch(harness.url);
});
afterAll(() => harness.close());

/** The phone in `npm test`, both in deep. */
const EACH_SIZE = sampled(['phone', 'desk'] as const, 2);

/** A relay for each size, because the lists of both have only this task. */
async function withoutTasks(size: Size) {
  if (size === 'phone') return { ...script, harness };
  const own = scriptedBrain();
  const other = await openWebHarness({ brain: own.brain });
  onTestFinished(other.close);
  return { ...own, harness: other };
}

test.each(EACH_SIZE)(
  'starts, watches, answers, replays, repeats, pauses and cancels a task, at %s size',
  async (size) => {
    const { thinking, received, harness } = await withoutTasks(size);
    const { page, talk, go } = await visit(harness, { size, path: '/tasks', isFresh: size === 'desk' });
    await page.getByText('No tasks yet').waitFor();
    await page.getByLabel('Describe the task').fill('Order a lamp');
    await page.getByRole('button', { name: 'Start the task' }).click();
    await talk.getByText('Waiting for a browser').waitFor();
    const tab = lendTab(harness, `tab_of_task_${size}`);
    onTestFinished(tab.close);
    const progress = talk.getByRole('list', { name: 'Progress' });
    await progress.getByText('Press “Add to cart”').waitFor();
    const form = talk.getByRole('form', { name: 'A question for you' });
    await form.getByText('Which size?').waitFor();
    await form.getByLabel('Your answer').fill('Large');
    await form.getByRole('button', { name: 'Answer' }).click();
    await talk.getByText('Done', { exact: true }).waitFor();
    expect(received).toEqual(['Large']);
    await talk.getByRole('region', { name: 'Result' }).getByText('It is ordered.').waitFor();
    expect(await talk.getByRole('button', { name: 'Download the trace' }).count()).toBe(1);
    await progress.getByText('Go to https://shop.example/lamps').waitFor();
    expect(await talk.textContent(), 'steps are sentences').not.toMatch(RAW_CALL);
    await replay(page);

    await talk.getByRole('button', { name: 'Run again' }).click();
    const heldBack = page.waitForResponse('**/pause');
    await talk.getByRole('button', { name: 'Pause' }).click();
    await heldBack;
    thinking.resolve();
    await talk.getByText('Paused', { exact: true }).waitFor();
    await talk.getByRole('button', { name: 'Go on' }).click();
    await talk.getByRole('button', { name: 'Run again' }).waitFor();

    tab.close();
    await talk.getByRole('button', { name: 'Run again' }).click();
    await talk.getByText('Waiting for a browser').waitFor();
    await talk.getByRole('button', { name: 'Cancel the task' }).click();
    const cancelling = page.getByRole('dialog').getByRole('button', { name: 'Cancel the task' });
    await cancelling.waitFor();
    expect(await pageFaults(page, 'all', 'dialog[open]')).toEqual([]);
    await cancelling.click();
    await talk.getByText('Cancelled', { exact: true }).waitFor();
    await talk.getByRole('button', { name: 'Open the conversation' }).click();
    await expect.poll(() => new URL(page.url()).pathname, TIMEOUT).toMatch(/^\/s\/./);
    await talk.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    // TSK-65
    await go('/');
    await page.getByText('No sessions yet').waitFor();
    const listed = page.locator('a[href^="/s/"]', { hasText: 'Order a lamp' });
    expect(await listed.count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('lamp');
    await listed.first().waitFor();
  },
);

/** By keys, then played to its end. */
async function replay(page: Awaited<ReturnType<typeof visit>>['page']): Promise<void> {
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const player = page.getByRole('region', { name: 'The task, step by step' });
  const line = player.locator('[aria-live=polite]');
  await line.getByText('Press “Add to cart”').waitFor();
  await line.getByText('Step 1 of 2').waitFor();
  expect(await player.getByText(CLICK.thought).count(), 'a thought is folded').toBe(0);
  await player.getByRole('button', { name: 'Thought' }).click();
  await player.getByText(CLICK.thought).waitFor();
  await player.getByText('In the cart').waitFor();
  await page.keyboard.press('ArrowRight');
  await line.getByText('Step 2 of 2').waitFor();
  await line.getByText('Go to https://shop.example/lamps').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await line.getByText('Step 1 of 2').waitFor();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await player.getByRole('button', { name: 'Pause the replay' }).waitFor();
  await line.getByText('Step 2 of 2').waitFor();
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  await page.getByRole('button', { name: 'Close the replay' }).click();
  await player.waitFor({ state: 'detached' });
}

test.each(EACH_SIZE)('names a tab whose page did not open in words, at %s size', async (size) => {
  const tab = lendTab(harness, `tab_of_error_${size}`, { url: 'chrome-error://chromewebdata/', title: '' });
  onTestFinished(tab.close);
  const { talk } = await visit(harness, { size, path: '/tabs' });
  await talk.getByRole('heading', { name: 'The page could not be opened' }).waitFor();
  expect(await talk.textContent()).not.toContain('chrome-error');
});

test('shows and watches a tab with its map, and revokes its grants', async () => {
  const tab = lendTab(harness, 'tab_of_grants');
  onTestFinished(tab.close);
  const { page, talk } = await visit(harness, { path: '/tabs' });
  await talk.getByRole('heading', { name: 'Desk lamps' }).waitFor();
  expect(await talk.textContent(), 'an id is no name').not.toContain('tab_of_grants');
  await talk.getByRole('button', { name: 'Watch' }).click();
  const picture = talk.getByRole('img', { name: 'Desk lamps, as it looks now' });
  await picture.waitFor();
  expect(await picture.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth)).toBe(1);
  await talk.getByRole('button', { name: 'Stop watching' }).click();
  await picture.waitFor({ state: 'detached' });
  const grant = talk.locator('li', { hasText: 'Act: add_to_cart' });
  await grant.getByText('given by Desk').waitFor();
  await grant.getByRole('button', { name: 'Revoke' }).click();
  await grant.waitFor({ state: 'detached' });
  await talk.getByText('Read: anything').waitFor();
  await talk.getByRole('button', { name: /Lamp shop/ }).click();
  await talk.getByText('The cart is where it was').waitFor();
  await talk.getByRole('button', { name: 'Check now' }).click();
  await talk.getByText('The page matches its map').waitFor();
  await talk.getByText('passed', { exact: true }).waitFor();
  tab.drift();
  await talk.getByRole('button', { name: 'Check now' }).click();
  await talk.getByText('The page has changed').waitFor();
  await talk.getByText('failed: ').waitFor();
  tab.close();
  await page.getByText('No tab is lent').waitFor();
});

test.each(EACH_SIZE)(
  'an owner sets the model with a write-only key, installs the app, adds a webhook, and pairs by QR code, at %s size',
  async (size) => {
    onTestFinished(() => harness.relay.devices.listening(harness.relay.url, {}));
    const { page, talk, go } = await visit(harness, { size, role: 'owner', path: '/settings' });
    await talk.getByText('simple rules decide').waitFor();
    await talk.getByLabel('Provider').selectOption('compatible');
    await talk.getByLabel('Model', { exact: true }).fill('qwen');
    await talk.getByLabel('Address of the server').fill('http://127.0.0.1:11434/v1');
    await talk.getByLabel('Key').fill('sk-never-shown');
    await talk.getByRole('button', { name: 'Save' }).click();
    const asked = page.getByRole('region', { name: 'Confirm that it is you' });
    await asked.getByText('wants http://127.0.0.1:11434 to be the model for tasks').waitFor();
    await harness.confirm();
    await talk.getByText('Chosen here.').waitFor();
    await talk.getByText('A key is set and never shown.').waitFor();
    await page.reload();
    await talk.getByText('Chosen here.').waitFor();
    // Simulates the browser's install offer.
    await page.evaluate(() => {
      const prompt = async () => document.documentElement.setAttribute('data-asked', 'yes');
      dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
    });
    await talk.getByRole('button', { name: 'Install as an app' }).click();
    await page.locator('html[data-asked=yes]').waitFor();
    expect(await talk.getByRole('button', { name: 'Install as an app' }).count()).toBe(0);
    expect(await page.content()).not.toContain('sk-never-shown');
    expect(await talk.getByLabel('Key').inputValue()).toBe('');
    await talk.getByRole('button', { name: 'Forget it' }).click();
    await talk.getByText('simple rules decide').waitFor();

    const posted: string[] = [];
    const receiver = createServer((request, response) => {
      posted.push(request.method ?? '');
      response.end();
    });
    onTestFinished(() => void receiver.close());
    const address = `http://127.0.0.1:${await listenOnLoopback(receiver)}/hook`;
    await talk.getByLabel('Address to post to').fill(address);
    await talk.getByRole('button', { name: 'Add', exact: true }).click();
    await asked.getByText('wants to send notifications to http://127.0.0.1').waitFor();
    expect(await talk.getByText('you won’t see it again').count()).toBe(0);
    await harness.confirm();
    await talk.getByText('you won’t see it again').waitFor();
    const hook = talk.locator('li', { hasText: address });
    await hook.getByRole('button', { name: 'Send a test' }).click();
    await talk.getByText('The address accepted the test.').waitFor();
    expect(posted).toEqual(['POST']);
    await hook.getByRole('button', { name: 'Remove' }).click();
    await hook.waitFor({ state: 'detached' });

    await go('/devices');
    await talk.getByText('A phone can open a link only if Drawbridge was started with:').waitFor();
    await talk.getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('region', { name: 'Confirm that it is you' }).waitFor();
    const code = talk.getByRole('img', { name: 'QR code of the link' });
    expect(await code.count()).toBe(0);
    await harness.confirm();
    await talk.getByText('Only this computer can open this link.').waitFor();
    expect(await code.count()).toBe(0);
    // As `up --host` does.
    await harness.relay.devices.listening(harness.relay.url, { outside_url: 'https://192.168.1.7:7717' });
    await talk.getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('region', { name: 'Confirm that it is you' }).waitFor();
    await harness.confirm();
    await code.waitFor();
    const link = (await talk.locator('code', { hasText: '#pair=' }).textContent()) ?? '';
    const dark = encode(link, { ecc: 'L' }).data.flat().filter(Boolean).length;
    expect(link).toContain('https://192.168.1.7:7717/#pair=');
    expect((await code.locator('path').getAttribute('d'))?.match(/M/g)).toHaveLength(dark);
  },
);

test.each(EACH_SIZE)(
  'searches the audit log by person, action and time, and exports the result, at %s size',
  async (size) => {
    const { page, talk, go } = await visit(harness, {
      size,
      role: 'owner',
      label: 'Desk',
      path: '/settings',
      isFresh: true,
    });
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await talk.getByLabel('Keep conversations').selectOption('30');
    await saved;
    const proxy = await harness.proxy('studio');
    onTestFinished(() => proxy.link.close());
    const session_id = `asker ${size}`;
    proxy.list(sessionOf(session_id));
    proxy.send(promptOf(session_id, 'p1', 'Run npm publish?\nWhere: https://shop.example'));
    await go(`/s/${session_id}`);
    const card = page.getByRole('region', { name: 'Needs your decision' });
    await card.getByRole('button', { name: 'Deny' }).and(page.locator('[data-armed=true]')).click();
    const { request_id } = await proxy.next('permission_response');
    const denied = { session_id, request_id, command: 'permission_response', result: 'ok' };
    proxy.send({ type: 'agent_control_result', ...denied });
    await card.waitFor({ state: 'detached' });
    await go('/audit');
    const rows = talk.getByRole('list').getByRole('listitem');
    const decision = rows.filter({
      hasText: `Desk answered Name of ${session_id} with “Deny”: “Run npm publish?”.`,
    });
    await decision.waitFor();
    await rows
      .filter({ hasText: 'Desk changed the settings: conversations are kept for 30 days.' })
      .first()
      .waitFor();
    if (size === 'phone') await talk.getByText('Filter', { exact: true }).click();
    await talk.getByLabel('What').selectOption('settings_changed');
    await expect.poll(() => rows.filter({ hasText: 'let in' }).count(), TIMEOUT).toBe(0);
    const download = page.waitForEvent('download');
    await talk.getByRole('button', { name: 'Export as JSON' }).click();
    const exported = await json(await (await download).createReadStream());
    expect(exported).toContainEqual(
      expect.objectContaining({
        action: 'settings_changed',
        detail: expect.objectContaining({ retention_days: 30 }),
      }),
    );
    await talk.getByLabel('Who').selectOption({ label: 'this machine' });
    await talk.getByText('No entries match these filters.').waitFor();
    await talk.getByLabel('Who').selectOption('');
    await talk.getByLabel('Up to').fill('2020-01-01');
    await talk.getByText('No entries match these filters.').waitFor();
    await talk.getByLabel('Up to').fill('');
    const changes = EACH_SIZE.slice(0, EACH_SIZE.indexOf(size) + 1).map(() =>
      expect.stringContaining('30 days'),
    );
    await expect.poll(() => rows.allTextContents(), TIMEOUT).toEqual(changes);
  },
);

test('notifies a device through its service worker except about the visible session, and a click opens it', async () => {
  const { page, context, go } = await visit(harness, { isWhole: true, path: '/settings' });
  await context.grantPermissions(['notifications'], { origin: harness.url });
  // A fake subscription: there is no push service here.
  const keys = { p256dh: publicKey(), auth: randomBytes(16).toString('base64url') };
  await page.evaluate(
    (json) => {
      const made = { toJSON: () => json, unsubscribe: async () => true };
      const subscription = Object.assign(Object.create(PushSubscription.prototype), made);
      PushManager.prototype.subscribe = async () => subscription;
      PushManager.prototype.getSubscription = async () => subscription;
    },
    { endpoint: 'https://push.example/one', keys },
  );
  await page.getByRole('button', { name: 'Notify this device' }).click();
  await page.getByLabel('Quiet hours').click();
  await page.getByLabel('From').fill('21:30');
  await expect.poll(async () => (await settings()).quiet_hours?.from, TIMEOUT).toBe('21:30');
  expect(await settings()).toMatchObject({ subscribed: true, language: 'en' });
  // The relay writes in the language that the person chose here.
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await expect.poll(async () => (await settings()).language, TIMEOUT).toBe('de');
  expect((await settings()).quiet_hours?.from).toBe('21:30');
  await page.getByLabel('Sprache', { exact: true }).selectOption('en');
  await expect.poll(async () => (await settings()).language, TIMEOUT).toBe('en');

  const proxy = await harness.proxy('studio');
  proxy.list(sessionOf('shown'), sessionOf('hidden'));
  // Waits for the answer: an earlier prompt would be notified.
  const heartbeat = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/push/visible') &&
      response.request().postDataJSON().session_id === 'shown',
  );
  await go('/s/shown');
  await heartbeat;
  proxy.send(promptOf('shown', 'p1'));
  proxy.send(promptOf('hidden', 'p2'));
  const log = async () => (await askInPage(page, 'GET /api/push/log')).body.notices;
  await expect
    .poll(log, TIMEOUT)
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ session_id: 'shown', state: 'suppressed', reason: 'visible' }),
        expect.not.objectContaining({ reason: 'visible' }),
      ]),
    );
  await go('/settings');
  await page.getByRole('button', { name: 'Recent notifications' }).click();
  await page.getByText('Held back · you were looking at it').waitFor();

  const deliver = await pushTo(page, harness.url);
  const notice = { type: 'notice', kind: 'prompt', tag: 't1', title: 'Run npm publish?', body: 'codex' };
  await deliver({ ...notice, session_id: 'hidden', at: Date.now() });
  const shown = () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      const all = await (await navigator.serviceWorker.ready).getNotifications();
      return active && all.map(({ title, tag }) => ({ title, tag }));
    });
  await expect.poll(shown, TIMEOUT).toEqual([{ title: 'Run npm publish?', tag: 't1' }]);
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(`registration.getNotifications().then(([notification]) =>
    dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await expect.poll(() => page.url(), TIMEOUT).toBe(`${harness.url}/s/hidden`);
  await expect.poll(shown, TIMEOUT).toEqual([]);

  // A push to a worker that is just ending is lost, and the browser's tools do not say so.
  const after = (push: object) => async () => {
    await deliver(push);
    return shown();
  };
  await expect.poll(after({ ...notice, tag: 't2', session_id: 'shown' }), TIMEOUT).toHaveLength(1);
  await expect.poll(after({ type: 'close', close: 't2' }), TIMEOUT).toEqual([]);

  async function settings() {
    return (await askInPage(page, 'GET /api/push/settings')).body;
  }
});

function publicKey(): string {
  const pair = createECDH('prime256v1');
  return pair.generateKeys().toString('base64url');
}

/** Delivers a push message as the browser does after decryption. */
async function pushTo(page: Awaited<ReturnType<typeof visit>>['page'], origin: string) {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (delivered: object) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(delivered),
    });
}
