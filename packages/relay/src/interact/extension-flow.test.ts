import { randomUUID } from 'node:crypto';
import { createBrain } from '@drawbridge/brain';
import { createModel } from '@drawbridge/brain/models';
import { startScriptedModel } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { ERROR_READS, missingIn, SESSION, SIGN_IN, START } from '../../test/interact/extension-calls.ts';
import { createChat, play, runTask, type ScriptedPage } from '../../test/interact/extension-client.ts';
import { type Script, startInteract } from '../../test/interact/interact-harness.ts';
import { extensionOf, type PublicExtension, pairingCode } from '../../test/interact/public-extension.ts';
import { askAuth, nextEvent } from '../../test/pusher/pusher-harness.ts';
import { startTestRelay, type TestRelay } from '../../test/server/test-relay.ts';

/** Decisions of a model, in order. */
async function startWithModel(
  ...decisions: readonly Readonly<Record<string, unknown>>[]
): Promise<TestRelay> {
  const model = await startScriptedModel(
    decisions.map((fields) => ({
      text: JSON.stringify({
        ...{ thought: 'I go on.', step_done: false, plan: [], element: '', text: '', json: '', more: [] },
        ...{ expect: { type: 'none', name: '', to: '' }, confidence: 0.9, ...fields },
      }),
    })),
  );
  onTestFinished(() => model.close());
  const brain = createBrain({
    model: createModel({ provider: 'compatible', model: 'scripted', baseUrl: model.baseUrl }),
  });
  return startTestRelay({ brain: () => brain });
}

async function signedIn(relay: TestRelay): Promise<PublicExtension> {
  const extension = await extensionOf(relay);
  await extension.signIn('ada@example.org', await pairingCode(relay));
  return extension;
}

const NAME = { i: '11', r: 'inp', n: 'First name' };
const LIST = { i: '5', r: 'list', n: 'Lamps', scr: { depth: '0%', h: true } };
const PAY = { i: '7', r: 'btn', n: 'Pay' };
const PAID: ScriptedPage = { url: 'https://shop.test/paid', tree: [{ i: '9', r: 'link', n: 'Receipt' }] };
const SCROLLED: ScriptedPage = {
  url: 'https://shop.test/cart',
  tree: [{ ...NAME, v: 'Ada' }, { ...LIST, scr: { depth: '100%', h: false } }, PAY],
  on: { 'click(7)': PAID },
};
const NAMED: ScriptedPage = {
  url: 'https://shop.test/cart',
  tree: [{ ...NAME, v: 'Ada' }, LIST],
  on: { 'scroll_container(5, "down")': SCROLLED },
};
const CART: ScriptedPage = {
  url: 'https://shop.test/cart',
  tree: [{ ...NAME, v: '' }, LIST],
  on: { 'setValue(11, "Ada")': NAMED },
};

test('[INT-326] [INT-327] [INT-306] [INT-307] [INT-310] [INT-313] the public extension goes from sign-in to a finished task, with pushes', async () => {
  const relay = await startWithModel(
    { action: 'need_full_dom', text: 'The tree is short.' },
    { action: 'setValue', element: '11', text: 'Ada', plan: ['Type the name', 'Pay'] },
    { action: 'scroll', element: '5' },
    { action: 'click', element: '7' },
    { action: 'click', element: '7' },
    { action: 'finish', text: 'Paid.', confidence: 0.95 },
  );
  // The panel opens without a token: its session call fails locally, and it shows the form.
  const extension = await extensionOf(relay);
  await extension.signIn('ada@example.org', await pairingCode(relay));
  await play(extension, START.knowledge('shop.test'));
  // The panel opens again.
  await play(extension, SIGN_IN.session);
  await play(extension, START.sessions);
  await play(extension, START.preferences);
  const sessionId = randomUUID();
  const [init] = await Promise.all([
    play(extension, SESSION.init(sessionId)),
    play(extension, START.sessions),
  ]);
  expect(init.data.created).toBe(true);
  expect((await play(extension, SESSION.messages(sessionId))).messages).toEqual([]);
  const channel = await extension.subscribe(sessionId);
  const chat = createChat(channel);
  const paid = new Promise<void>((resolve) =>
    channel.bind('new_message', ({ message }: { message: { content: string } }) => {
      if (message.content.includes('Paid.')) resolve();
    }),
  );
  const asked = await runTask(extension, { sessionId, query: 'Buy the lamps as Ada', page: CART });
  expect(asked.actions).toEqual(['setValue(11, "Ada")', 'scroll_container(5, "down")']);
  expect(asked.end).toBe('question');
  expect(asked.answers[0]).toMatchObject({ plan: { steps: [{}, {}] }, currentStep: 0, totalSteps: 2 });
  expect(asked.answers.at(-1).userQuestion).toContain('Pay');

  // The person's answer comes without the id of the task that asked.
  const answered = nextEvent(channel, 'interact_response');
  const done = await runTask(extension, { sessionId, query: 'Yes, pay', page: SCROLLED });
  expect(done).toMatchObject({ taskId: asked.taskId, end: 'finished', actions: ['click(7)', 'finish()'] });
  expect(done.answers.at(-1)).toMatchObject({ thought: 'Paid.', status: 'completed' });
  expect(await answered).toMatchObject({ sessionId, taskId: asked.taskId });
  await paid;
  const pushed = chat.shown();
  const { messages } = await play(extension, SESSION.messages(sessionId));
  chat.take(messages);
  expect(chat.shown()).toEqual(messages);
  const idOf = ({ messageId }: { messageId: string }) => messageId;
  expect(pushed.map(idOf)).toEqual(messages.map(idOf));
  const plan = messages.find(({ metadata }: { metadata?: object }) => metadata !== undefined);
  expect(plan).toMatchObject({ role: 'system', metadata: { messageType: 'plan_preview' } });

  await play(extension, SESSION.rename(sessionId, 'Lamps'));
  expect((await play(extension, SESSION.report(sessionId, done.taskId))).task.status).toBe('completed');
  await play(extension, SESSION.archive(sessionId));
  expect((await play(extension, START.sessions)).data.sessions).toEqual([]);
  await play(extension, SIGN_IN.logout);
  const after = await extension.send('GET', SIGN_IN.session.path);
  expect([after.status, missingIn(after.body, ERROR_READS)]).toEqual([401, []]);
});

test('[INT-305] [INT-307] [INT-309] [INT-311] every call is answered as the extension reads it, and polling gets the news', async () => {
  const step = { thought: 'I press it.', action: 'click(7)', status: 'executing' } as const;
  const ask: Script = () => ({
    status: 'needs_user_input',
    userQuestion: 'Which code?',
    missingInformation: ['code'],
  });
  const { relay } = await startInteract((input, options) =>
    input.memory === undefined ? step : ask(input, options),
  );
  const extension = await extensionOf(relay);
  const code = await pairingCode(relay);
  const { status, body } = await extension.signIn('ada@example.org', code);
  expect([status, missingIn(body, SIGN_IN.login('', '').reads)]).toEqual([200, []]);
  const sessionId = randomUUID();
  for (const created of [true, false]) {
    const more = { url: CART.url, domain: 'shop.test', initialQuery: 'Pay', tabId: 41 };
    expect((await play(extension, SESSION.init(sessionId, more))).data.created).toBe(created);
  }
  await play(extension, START.putTheme('dark'));
  expect((await play(extension, START.preferences)).preferences.theme).toBe('dark');
  const from = new Date(0).toISOString();
  expect((await play(extension, SESSION.poll(sessionId, from))).messages).toEqual([]);
  const run = await runTask(extension, { sessionId, query: 'Pay', page: SCROLLED });
  expect(run.end).toBe('question');
  const polled = await play(extension, SESSION.poll(sessionId, from));
  expect(polled.messages).toEqual((await play(extension, SESSION.messages(sessionId))).messages);
  const later = new Date(Date.parse(polled.messages.at(-1).timestamp) + 1).toISOString();
  expect((await play(extension, SESSION.poll(sessionId, later))).messages).toEqual([]);
  await play(extension, SESSION.resume(sessionId, run.taskId, { code: '123456' }));
  // A 404 here would block the messages of every session.
  expect(await play(extension, SESSION.messages(randomUUID()))).toMatchObject({
    ...{ messages: [], total: 0, sessionExists: false },
  });
  for (const [method, path, body, expected] of [
    ['GET', '/api/nothing', undefined, 404],
    ['POST', '/api/v1/auth/login', { email: 'eve@example.org', password: 'guess' }, 401],
    ['POST', '/api/session/init', { sessionId: '' }, 400],
    ['POST', '/api/agent/interact', { query: '' }, 400],
    ['POST', `/api/session/${sessionId}/task/none/resume`, { resolutionMethod: 'provide_in_chat' }, 404],
    ['GET', `/api/session/${sessionId}/task/none/report?format=json`, undefined, 404],
    ['PATCH', '/api/session/none', { title: 'x' }, 404],
  ] as const) {
    const answer = await extension.send(method, path, body);
    expect([path, answer.status, missingIn(answer.body, ERROR_READS)]).toEqual([path, expected, []]);
  }
});

test('[INT-320] [INT-321] the public extension gets no chain and no memory action, and does each action alone', async () => {
  const city = { i: '14', r: 'inp', n: 'City' };
  const both = [
    { ...NAME, v: 'Ada' },
    { ...city, v: 'Bern' },
  ];
  const filled: ScriptedPage = { url: 'https://shop.test/join', tree: both };
  const named: ScriptedPage = {
    ...{ url: filled.url, tree: [{ ...NAME, v: 'Ada' }, city] },
    on: { 'setValue(14, "Bern")': filled },
  };
  const page: ScriptedPage = {
    ...{ url: filled.url, tree: [{ ...NAME, v: '' }, city] },
    on: { 'setValue(11, "Ada")': named },
  };
  const relay = await startWithModel(
    { action: 'remember', text: 'name', json: '"Ada"' },
    {
      ...{ action: 'setValue', element: '11', text: 'Ada' },
      more: [{ action: 'setValue', element: '14', text: 'Bern' }],
    },
    { action: 'setValue', element: '14', text: 'Bern' },
    { action: 'finish', text: 'Joined.', confidence: 0.95 },
  );
  const extension = await signedIn(relay);
  const run = await runTask(extension, { sessionId: randomUUID(), query: 'Join as Ada', page });
  const actions = ['setValue(11, "Ada")', 'setValue(14, "Bern")', 'finish()'];
  expect(run).toMatchObject({ end: 'finished', actions });
  expect(run.answers.filter((answer) => answer.toolAction !== undefined)).toEqual([]);
});

test('[INT-318] a client that authorises again after each refusal is stopped by a 429', async () => {
  const relay = await startTestRelay();
  const extension = await extensionOf(relay);
  const { accessToken } = (await extension.signIn('ada@example.org', await pairingCode(relay))).body;
  const device = { ...(await relay.mint('person')), token: accessToken };
  const form = { socket_id: '1.2', channel_name: `private-session-${randomUUID()}` };
  let storm = 0;
  let status = 0;
  do {
    ({ status } = await askAuth(relay, device, form));
    storm += 1;
    // A client that is still signed in tries again at once.
    await play(extension, SIGN_IN.session);
  } while (status === 401 || status === 403);
  expect([status, storm]).toEqual([429, 11]);
});

test('[INT-327] an answer reaches only a waiting task of the same device and session', async () => {
  const { relay, brain, call } = await startInteract(({ memory }) =>
    memory === undefined
      ? { status: 'needs_user_input', userQuestion: 'Which size?' }
      : { thought: 'Done.', action: 'finish()', status: 'completed' },
  );
  const extension = await signedIn(relay);
  const sessionId = randomUUID();
  const ask = { sessionId, query: 'Buy a shirt', page: CART };
  const first = await runTask(extension, ask);
  const elsewhere = await runTask(extension, { ...ask, sessionId: randomUUID() });
  expect(elsewhere.taskId).not.toBe(first.taskId);
  const answered = await runTask(extension, { ...ask, query: 'M' });
  expect([answered.taskId, answered.end]).toEqual([first.taskId, 'finished']);
  expect(brain.inputs.at(-1)).toMatchObject({ said: ['M'], isComplete: true });
  // A finished task takes no answer, and a client of the contract sends the id.
  expect((await runTask(extension, { ...ask, query: 'L' })).taskId).not.toBe(first.taskId);
  const page = { url: CART.url, domMode: 'semantic', interactiveTree: CART.tree };
  const ours = (await call({ ...page, query: 'Buy a shirt' })).body;
  const next = (await call({ ...page, query: 'M', sessionId: ours.sessionId })).body;
  expect(next.taskId).not.toBe(ours.taskId);
  expect(brain.inputs.at(-1)).toMatchObject({ isComplete: false });
});
