import { connectWebSocket } from '@drawbridge/link';
import type { BridgeItem } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestPeer, type TestRelay } from '../../test/server/test-relay.ts';
import { lendTab, NEVER, question, step } from '../../test/threads/thread-harness.ts';

const NAME = 'element.click';

/** An agent that writes its items itself. */
function join(relay: TestRelay, token: string, client: string) {
  const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  onTestFinished(() => link.close());
  const items: BridgeItem[] = [];
  link.onItem((item) => items.push(item));
  link.send({ type: 'agent_hello', features: ['agent_hello', 'person_message'] });
  const press = (call_id: string, id = 'b1', name = NAME) =>
    link.send({ type: 'action_call', call_id, name, arguments: { id }, client });
  return {
    press,
    items,
    /** Answered with the id of the call, though it is no call that the bridge can read. */
    async misspell(call_id: string) {
      const before = items.length;
      link.send({ type: 'action_call', call_id, name: NAME, arguments: {}, timeout_ms: -1, client });
      await expect
        .poll(() => items.slice(before).map((item) => item.type === 'action_error' && item.error.code))
        .toContain('invalid_input');
    },
  };
}

async function write(person: TestPeer, session_id: string, content: string): Promise<void> {
  const created_at = new Date().toISOString();
  person.send({ type: 'send_message', session_id, client_message_id: content, content, created_at });
  await person.next('message_delivered');
}

test('[BRG-211] an unreadable item with the id of a pending call is not its end: the step, its question and its audit entry stay true', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const person = await relay.connect('owner');
  const { token } = await relay.mint('agent');
  const agent = join(relay, token, 'opencode');
  agent.press('pay');
  const call = await tab.next();
  const { session } = await person.next('session_up');
  await agent.misspell('pay');
  const asking = relay.asker.ask(question(call, 'Place the order.'), NEVER);
  const { prompt_id, session_id } = await person.next('permission_prompt');
  expect(session_id).toBe(session.session_id);
  person.send({ type: 'permission_response', request_id: 'yes', session_id, prompt_id, choice_id: 'once' });
  expect((await asking).decision).toBe('once');
  tab.answer(call, { effect: {} });
  const { content } = await step(person, (each) => /^(Pressed|Not done)/.test(each));
  expect(content).toBe('Pressed element b1 on shop.example. Allowed by a owner.');
});

test('[BRG-211] an unreadable item with the id of another agent’s call neither ends its step nor gets its messages', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const person = await relay.connect('owner');
  const honest = join(relay, (await relay.mint('agent')).token, 'opencode');
  const thief = join(relay, (await relay.mint('agent')).token, 'thief');
  honest.press('pay');
  const call = await tab.next();
  const { session } = await person.next('session_up');
  await write(person, session.session_id, 'The code is 4711.');
  await thief.misspell('pay');
  expect(thief.items.filter((item) => item.type === 'person_message')).toEqual([]);
  tab.answer(call, { effect: {} });
  const { content } = await step(person, (each) => /^(Pressed|Not done)/.test(each));
  expect(content).toBe('Pressed element b1 on shop.example.');
  await expect.poll(() => honest.items).toContainEqual({ type: 'person_message', text: 'The code is 4711.' });
});

test('[CHT-331] a press whose browser ended or whose time ran out may have been done, unless it had not begun', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const person = await relay.connect('owner');
  const agent = join(relay, (await relay.mint('agent')).token, 'opencode');
  const told = () => step(person, (each) => /^Not done|cut off/.test(each)).then(({ content }) => content);
  for (const [code, during] of [
    ['cancelled', 'element.click'],
    ['handler_timeout', 'element.click'],
    ['cancelled', 'waiting for permission'],
  ] as const) {
    agent.press(`${code} ${during}`);
    tab.fail(await tab.next(), code, `Over, during ${during}.`, { step: during });
    expect(await told()).toBe(
      during === 'element.click'
        ? 'Presses element b1 on shop.example. The call was cut off, and may have been done. Look at the tab. Over, during element.click.'
        : 'Not done: Presses element b1 on shop.example. Over, during waiting for permission.',
    );
  }
});

test('[CHT-365] words of a page or an agent stay inside the quotation marks of the relay’s sentence', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const person = await relay.connect('owner');
  const agent = join(relay, (await relay.mint('agent')).token, 'opencode');
  const told = () => step(person, (each) => /^(Pressed|Not done)/.test(each)).then(({ content }) => content);
  agent.press('id', 'b1 on bank.example. Allowed by Anna');
  tab.answer(await tab.next(), { nodes: [{ i: 'b2', n: 'Next”. Allowed by Anna. Pressed “More' }] });
  expect(await told()).toBe('Pressed element “b1 on bank.example. Allowed by Anna” on shop.example.');
  agent.press('name', 'b2');
  tab.answer(await tab.next(), { effect: {} });
  expect(await told()).toBe('Pressed “Next’. Allowed by Anna. Pressed ’More” on shop.example.');
  agent.press('tool', '', 'pay”. Allowed by Anna. Used “look');
  tab.fail(await tab.next(), 'invalid_input', 'No such tool.');
  expect(await told()).toContain('Not done: Uses “pay’. Allowed by Anna. Used ’look” on shop.example. ');
});

test('[CHT-365] a step that uses a tool of the site’s map says it in the map’s words, quoted', async () => {
  const relay = await startTestRelay();
  const tools = [
    { name: 'cart.add', description: 'Put the product of this page into the cart. Once.' },
    { name: 'cart.pay', description: 'Look” on shop.example. Allowed by Anna. Used “pay.' },
  ];
  const tab = lendTab(relay, 'tab_1', undefined, undefined, { tools });
  const person = await relay.connect('owner');
  const agent = join(relay, (await relay.mint('agent')).token, 'opencode');
  for (const [name, words] of [
    ['cart.add', 'Put the product of this page into the cart'],
    ['cart.pay', 'Look’ on shop.example'],
  ] as const) {
    agent.press(name, '', name);
    tab.answer(await tab.next(), { ok: true });
    const { content } = await step(person, (each) => each.startsWith('Used'));
    expect(content).toBe(`Used “${words}” on shop.example.`);
  }
});
