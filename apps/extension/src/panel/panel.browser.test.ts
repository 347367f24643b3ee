import { en } from '@drawbridge/ui/model';
import { expect, test } from 'vitest';
import { startAskingRelay } from '../../test/panel/asking-relay.ts';
import { builtPages } from '../../test/panel/opened-page.ts';
import { eventOf, LENT, PLAN, STATE, taskOf, withTask } from '../../test/panel/stand-in/states.ts';

const { openedPage } = builtPages();

const colourOf = (element: Element): string => getComputedStyle(element).color;
const groundOf = (element: Element): string => getComputedStyle(element).backgroundColor;
const message = (messageId: string, role: 'user' | 'assistant', content: string, more: object = {}) => ({
  ...{ messageId, role, content, timestamp: '2026-11-15T10:00:00.000Z' },
  ...more,
});

test('[INT-164] the plan is a stepper: the current step stands out, past ones are dimmed, coming ones grey', async () => {
  const { page } = await openedPage('panel', { state: withTask(taskOf('running', { plan: PLAN })) });
  const steps = page.getByRole('region', { name: 'Plan' }).getByRole('listitem');
  await expect.poll(() => steps.count()).toBe(3);
  const [past, current, future] = [steps.nth(0), steps.nth(1), steps.nth(2)];
  expect(await current.getAttribute('aria-current')).toBe('step');
  expect(await past.getAttribute('data-place')).toBe('past');
  expect(await future.getAttribute('data-place')).toBe('future');
  const opacity = (element: Element) => Number(getComputedStyle(element).opacity);
  expect(await past.evaluate(opacity)).toBeLessThan(1);
  expect(await current.evaluate(opacity)).toBe(1);
  expect(await current.evaluate(groundOf)).not.toBe(await future.evaluate(groundOf));
  expect(await future.evaluate(colourOf)).not.toBe(await current.evaluate(colourOf));
  expect(await current.textContent()).toContain('now');
});

test('[INT-165] shows planning without a plan or steps', async () => {
  const { page, show } = await openedPage('panel', { state: withTask(taskOf('running')) });
  const planning = page.getByText('Planning…');
  await planning.waitFor();
  await show(withTask(taskOf('running', { plan: { steps: [], currentStepIndex: 0 } })));
  await planning.waitFor();
  await show(withTask(taskOf('running', { plan: PLAN })));
  await page.getByText('Put it into the cart').waitFor();
  expect(await planning.count()).toBe(0);
});

test('[INT-166] the header shows RUNNING, COMPLETED, FAILED or STOPPED; a card shows the result', async () => {
  const { page, show } = await openedPage('panel', { state: withTask(taskOf('running')) });
  const header = page.getByRole('region', { name: 'Task', exact: true });
  const card = page.getByRole('region', { name: 'Task completed' });
  await header.getByText('RUNNING').waitFor();
  expect(await card.count()).toBe(0);
  await show(withTask(taskOf('completed', { message: 'The lamp is ordered.', endedAt: Date.now() })));
  await header.getByText('COMPLETED').waitFor();
  await card.getByText('The lamp is ordered.').waitFor();
  await show(withTask(taskOf('failed', { message: 'The shop is closed.' })));
  await header.getByText('FAILED').waitFor();
  await page.getByRole('region', { name: 'Task failed' }).getByText('The shop is closed.').waitFor();
  await show(withTask(taskOf('cancelled')));
  await header.getByText('STOPPED').waitFor();
  expect(await card.count()).toBe(0);
});

test('[INT-166] Stop is pending until the worker reports the stop', async () => {
  const { page, show, standIn, commands } = await openedPage('panel', { state: withTask(taskOf('running')) });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const pending = page.getByRole('button', { name: 'Stopping…' });
  await expect.poll(commands).toEqual([{ do: 'stop', tabId: 7 }]);
  // The worker has accepted it, but the task still runs.
  await pending.waitFor();
  await show(withTask(taskOf('cancelled')));
  await page.getByText('STOPPED').waitFor();
  expect(await pending.count()).toBe(0);
  await show(withTask(taskOf('running', { taskId: 't2' })));
  await standIn.evaluate((played) => played.refuse('stop', 'The page does not answer.'));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Not stopped: The page does not answer.').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
});

const talking = { ...STATE, sessions: { 7: 's1' } };
const PAIRING = { url: 'http://127.0.0.1:9', token: 'none', deviceId: 'd1', name: 'Chrome' };

test('[INT-174] shows plan and completion without push and storage', async () => {
  const { page, show, standIn } = await openedPage('panel', {
    state: { ...talking, tasks: { 7: taskOf('running', { plan: PLAN }) } },
  });
  await standIn.evaluate((played, pairing) => played.pair(pairing), PAIRING);
  await page.getByRole('region', { name: 'Plan' }).getByText('Put it into the cart').waitFor();
  await show({
    ...talking,
    tasks: { 7: taskOf('completed', { plan: PLAN, message: 'The lamp is ordered.' }) },
  });
  await page.getByRole('region', { name: 'Task completed' }).getByText('The lamp is ordered.').waitFor();
});

test("[INT-167] shows the person's messages right, the agent's left, in different colours", async () => {
  const { page, standIn } = await openedPage('panel', { state: talking });
  await standIn.evaluate((played, pairing) => played.pair(pairing), PAIRING);
  const said = [
    message('m1', 'user', 'Which lamps are there?'),
    message('m2', 'assistant', 'Two: Arc and Dusk.'),
  ];
  await standIn.evaluate((played, messages) => played.say('s1', messages), said);
  const person = page.locator('[data-role=user]');
  const agent = page.locator('[data-role=agent]');
  await person.getByText('Which lamps are there?').waitFor();
  await agent.getByText('Two: Arc and Dusk.').waitFor();
  const [right, left] = await Promise.all([person.locator('p').first().boundingBox(), agent.boundingBox()]);
  const width = 400;
  expect(width - ((right?.x ?? 0) + (right?.width ?? 0))).toBeLessThan(right?.x ?? 0);
  expect(left?.x ?? width).toBeLessThan(width - ((left?.x ?? 0) + (left?.width ?? 0)));
  expect(await person.locator('p').first().evaluate(groundOf)).not.toBe(await agent.evaluate(groundOf));
});

test('[INT-168] a turn shows its thought on demand, its action as a badge, the observation, and the reason', async () => {
  const { page, standIn } = await openedPage('panel', { state: talking });
  await standIn.evaluate((played, pairing) => played.pair(pairing), PAIRING);
  const thought = 'The cart is empty, so the lamp goes in first.';
  const turn = (id: string, actionString: string, status: 'success' | 'failure') =>
    message(id, 'assistant', thought, { actionString, status, metadata: { reasoning: `Because of ${id}.` } });
  const said = [
    turn('m1', 'click(7)', 'success'),
    turn('m2', 'navigate("https://shop.example/cart")', 'failure'),
  ];
  await standIn.evaluate((played, messages) => played.say('s1', messages), said);
  const first = page.getByRole('article').first();
  const second = page.getByRole('article').nth(1);
  expect(await first.locator('[data-badge]').textContent()).toBe('Press element 7');
  await first.getByText('done', { exact: true }).waitFor();
  await second.getByText('failed', { exact: true }).waitFor();
  await first.getByText('Because of m1.').waitFor();
  const fold = first.getByRole('button', { name: thought });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await fold.click();
  await first.getByRole('paragraph').filter({ hasText: thought }).waitFor();
});

test('[INT-169] a question lists missing facts, and takes the answer', async () => {
  const missing = ['colour', { field: 'delivery', description: 'Standard or express' }];
  const question = { text: 'Black or brass?', missing };
  const { page, commands } = await openedPage('panel', { state: withTask(taskOf('waiting', { question })) });
  const card = page.getByRole('form', { name: 'The agent has a question' });
  await card.getByText('Black or brass?').waitFor();
  expect(await card.getByRole('listitem').allTextContents()).toEqual(['colour', 'Standard or express']);
  await card.getByLabel('Your answer').fill('brass, standard');
  await card.getByRole('button', { name: 'Answer' }).click();
  await expect.poll(commands).toEqual([{ do: 'say', tabId: 7, text: 'brass, standard' }]);
});

test('lending asks Chrome within the click and then the worker; a refused site is not lent', async () => {
  const { page, show, standIn, commands } = await openedPage('panel', { state: { ...STATE, tabs: [] } });
  await standIn.evaluate((played) => played.allowSites(false));
  await page.getByRole('button', { name: 'Lend this tab' }).click();
  await page.getByText('so the tab is not lent').waitFor();
  expect(await commands()).toEqual([]);
  await standIn.evaluate((played) => played.allowSites(true));
  await page.getByRole('button', { name: 'Lend this tab' }).click();
  await expect.poll(commands).toEqual([{ do: 'lend', tabId: 7 }]);
  expect(await standIn.evaluate(({ asked }) => [...asked])).toEqual([LENT.url, LENT.url]);
  await show(STATE);
  await page.getByRole('button', { name: 'Release' }).click();
  await expect.poll(commands).toContainEqual({ do: 'release', tabId: 7 });
});

test('starts, steers, pauses, takes over and hands back a task', async () => {
  const { page, show, commands } = await openedPage('panel', { state: STATE });
  const composer = page.getByLabel('Task or message');
  await composer.fill('Order the lamp');
  await composer.press('Enter');
  await expect.poll(commands).toContainEqual({ do: 'start_task', tabId: 7, query: 'Order the lamp' });
  await show(
    withTask(
      taskOf('running', { events: [eventOf(0, 'ok', { action: 'click(7)', subject: 'Add to cart' })] }),
    ),
  );
  await page.getByRole('button', { name: 'Show Add to cart on the page' }).click();
  await composer.fill('The brass one');
  await composer.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Take over' }).click();
  await show(withTask(taskOf('paused', { takenOver: true })));
  await page.getByText('You are in control.').waitFor();
  await page.getByRole('button', { name: 'Hand back' }).click();
  await expect.poll(commands).toEqual([
    { do: 'start_task', tabId: 7, query: 'Order the lamp' },
    { do: 'show', tabId: 7, elementId: '7' },
    { do: 'say', tabId: 7, text: 'The brass one' },
    { do: 'pause', tabId: 7 },
    { do: 'take_over', tabId: 7 },
    { do: 'hand_back', tabId: 7 },
  ]);
});

test('says whether a model decides, with requests that work without one', async () => {
  const { page, show, standIn } = await openedPage('panel');
  await standIn.evaluate((played, pairing) => {
    played.decideBy(null);
    played.pair(pairing);
  }, PAIRING);
  await show(STATE);
  await page.getByText('No model is set').waitFor();
  await page.getByRole('button', { name: 'Search for a lamp' }).click();
  await expect.poll(() => page.getByLabel('Task or message').inputValue()).toBe('Search for a lamp');
  await page.getByRole('button', { name: 'Set a model' }).click();
  expect(await standIn.evaluate(({ opened }) => [...opened])).toEqual(['http://127.0.0.1:7717/settings']);
});

test('a stopped worker returns with its state; running commands are reported as unknown', async () => {
  const { page, standIn, commands } = await openedPage('panel', { state: withTask(taskOf('running')) });
  await standIn.evaluate((played) => played.ignore('pause'));
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(commands).toHaveLength(1);
  await standIn.evaluate((played) => played.stop());
  await page.getByText('The extension stopped before it answered.').waitFor();
  await page.getByText('The extension is restarting.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Take over' }).click();
  // Nothing is sent twice.
  await expect.poll(commands).toEqual([
    { do: 'pause', tabId: 7 },
    { do: 'take_over', tabId: 7 },
  ]);
});

test('a decision shows action, place and data; its buttons arm late; the answer reaches the asking tab', async () => {
  await using relay = await startAskingRelay();
  const { page, standIn, commands } = await openedPage('panel', { state: STATE });
  await standIn.evaluate((played, pairing) => played.pair(pairing), relay.pairing);
  await page.getByRole('button', { name: 'Connection: Live' }).waitFor();
  relay.askElsewhere();
  await page.getByText('1 decision waiting for agents elsewhere.').waitFor();
  relay.ask({ sentence: 'element.click on “<img src=x onerror=alert(1)>” at https://shop.example' });
  const card = page.getByRole('region', { name: 'Needs your decision' });
  await card.getByText('Press “<img src=x onerror=alert(1)>”').waitFor();
  expect(await page.locator('img[src=x]').count()).toBe(0);
  await card.getByText('https://shop.example', { exact: true }).waitFor();
  await card.getByText('card: ending 42').waitFor();
  await card.getByRole('button', { name: 'Show me' }).click();
  await expect.poll(commands).toEqual([{ do: 'show', tabId: 7, elementId: '7' }]);
  const decided = relay.decided();
  const allow = card.getByRole('button', { name: 'Allow once' });
  await page.locator('[data-armed=true]').first().waitFor();
  await allow.click();
  expect(await decided).toBe('once');
  await card.waitFor({ state: 'detached' });
});

test('[BRG-213] an own agent’s call is decided in the panel, with the picture of the page and a reason for Deny', async () => {
  await using relay = await startAskingRelay();
  const asked = { ...LENT, questions: ['q1'], doing: 'element.click' };
  const { page, standIn } = await openedPage('panel', { state: { ...STATE, tabs: [asked] } });
  // The relay answers an extension's page, which this one is not.
  await page.route('**/api/prompts/**', async (route) => {
    const headers = { ...route.request().headers(), origin: 'chrome-extension://abc' };
    const response = await route.fetch({ headers });
    await route.fulfill({ response, headers: { 'access-control-allow-origin': '*' } });
  });
  await standIn.evaluate((played, pairing) => played.pair(pairing), relay.pairing);
  await page.getByRole('button', { name: 'Connection: Live' }).waitFor();
  await relay.askForAgent();
  const card = page.getByRole('region', { name: 'Needs your decision' });
  await card.getByText('Desk, which calls itself').waitFor();
  expect(await page.getByText('for agents elsewhere').count()).toBe(0);
  expect(await page.getByText('Now:').count()).toBe(0);
  const picture = card.getByRole('img', { name: en.prompt.picture });
  await picture.waitFor();
  expect(await picture.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth)).toBe(1);
  await card.getByRole('button', { name: en.prompt.withReason }).click();
  await card.getByLabel(en.prompt.reason).fill('Only up to 40 €');
  const decided = relay.decided();
  await page.locator('[data-armed=true]').first().waitFor();
  await card.getByRole('button', { name: 'Deny', exact: true }).click();
  expect(await decided).toBe('deny: a person refused it: Only up to 40 €');
});

test('ignores a press on a button that has just appeared under the pointer', async () => {
  await using relay = await startAskingRelay();
  const { page, standIn } = await openedPage('panel', { state: STATE });
  await page.clock.install();
  await standIn.evaluate((played, pairing) => played.pair(pairing), relay.pairing);
  await page.getByRole('button', { name: 'Connection: Live' }).waitFor();
  relay.ask();
  const allow = page.getByRole('button', { name: 'Allow once' });
  await allow.click({ force: true });
  expect(await allow.getAttribute('data-armed')).toBe('false');
  await page.clock.runFor(1_000);
  expect(await allow.getAttribute('data-armed')).toBe('true');
  expect(await page.getByText('Sending your answer').count()).toBe(0);
});

test('lists conversations by site; chooses, renames and starts one', async () => {
  await using relay = await startAskingRelay();
  const { page, standIn, commands } = await openedPage('panel', {
    state: { ...STATE, sessions: { 7: 'talk_1' } },
  });
  await standIn.evaluate((played, pairing) => played.pair(pairing), relay.pairing);
  await page.getByRole('button', { name: 'Connection: Live' }).waitFor();
  const open = async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Conversations' }).click();
  };
  await open();
  const here = page.getByRole('region', { name: 'On shop.example' });
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['shop.example', 'travel.example']);
  await here.getByText('in this tab').waitFor();
  expect(await page.getByText('codex-shop').count()).toBe(0);
  await here.getByRole('button', { name: 'Rename shop.example: Compare two lamps' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Lamps');
  await page.getByRole('button', { name: 'Save' }).click();
  await here.getByRole('button', { name: 'Lamps', exact: true }).click();
  await open();
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect.poll(commands).toEqual([
    { do: 'use_session', tabId: 7, sessionId: 'talk_2' },
    { do: 'use_session', tabId: 7, sessionId: null },
  ]);
  expect(await standIn.evaluate(({ renamed }) => [...renamed])).toEqual(['talk_2 Lamps']);
});

test('shows the state of each part of the connection', async () => {
  const { page, show } = await openedPage('panel', { state: STATE });
  const url = 'http://127.0.0.1:7717';
  await show({
    ...STATE,
    relay: { kind: 'offline', url, device: 'Chrome', why: 'nobody answers' },
    tabs: [{ ...LENT, problem: 'The site was not allowed.' }],
  });
  await page.getByRole('button', { name: 'Connection: Offline' }).click();
  const health = page.getByRole('list', { name: 'Health' });
  await expect
    .poll(() => health.getByRole('listitem').allTextContents())
    .toEqual([
      'Extension: running',
      `Relay: cannot reach ${url}: nobody answers`,
      'This tab: is lent, but can’t be reached: The site was not allowed.',
    ]);
  await show({ ...STATE, relay: { kind: 'unpaired' } });
  await page.getByRole('button', { name: 'Pair with a relay' }).click();
});
