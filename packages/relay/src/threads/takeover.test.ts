import { connectWebSocket } from '@drawbridge/link';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';
import { http, lendTab, mcp, step, URL_OF_TAB } from '../../test/threads/thread-harness.ts';

const isAgents = (session_id: string) => session_id.startsWith('browser_agent_');
const click = (id: string) => ({ steps: [{ do: 'click', id }] });

/** An agent that came by itself, in a conversation that a person watches. */
async function met(picture?: () => object) {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const tab = lendTab(relay, 'tab_1', URL_OF_TAB, picture);
  const person = await relay.connect('owner');
  const { token } = await relay.mint('agent');
  const reading = mcp(relay, token, 'read');
  tab.answer(await tab.next(), { text: 'A lamp.' });
  await reading;
  const { session } = await person.next('session_up');
  const { session_id } = session;
  expect(isAgents(session_id)).toBe(true);
  const owner = await relay.mint('owner');
  const path = `/api/sessions/${session_id}/browser`;
  const post = async (what: string) => (await http(relay, owner, 'POST', `${path}/${what}`)).status;
  const seen = async () => (await http(relay, owner, 'GET', path)).body;
  return { clock, relay, tab, person, token, session_id, owner, path, post, seen };
}

test('[CHT-366] [CHT-367] a person takes over, acts and gives back: waiting looks go on, waiting presses do not', async () => {
  const { relay, tab, person, token, session_id, path, post, seen } = await met();
  const pressing = mcp(relay, token, 'act', click('b1'));
  await tab.next();
  const guest = await relay.mint('person', [`session:${session_id}`]);
  expect((await http(relay, guest, 'POST', `${path}/takeover`)).status).toBe(403);
  expect(await post('handback')).toBe(404);
  expect(await post('takeover')).toBe(204);
  expect((await pressing).text).toContain('A person works in the browser now.');
  await step(person, (content) => content === 'a owner took over the browser. The agent waits.');
  expect(await seen()).toMatchObject({ paused_by: 'a owner' });
  const looking = mcp(relay, token, 'read');
  const again = mcp(relay, token, 'act', click('b2'));
  await step(
    person,
    (content) => content === 'Waits until you give the browser back: Looks at the page on shop.example…',
  );
  await step(person, (content) =>
    content.startsWith(
      'Waits until you give the browser back, and then looks again first: Presses element b2',
    ),
  );
  expect(await post('handback')).toBe(204);
  const look = await tab.next();
  expect(look.name).toBe('page.read');
  tab.answer(look, { text: 'A lamp.' });
  const answers = [(await looking).text, (await again).text];
  expect(answers[0]).toContain('A lamp.');
  expect(answers[1]).toContain('a person worked in the browser, and gave it back');
  expect(answers.filter((text) => text.includes('I worked in the browser myself'))).toHaveLength(1);
  const undone = await step(person, (content) => content.startsWith('Not done: Presses element b2'));
  expect(undone.content.match(/not done/gi)).toHaveLength(1);
  expect(await seen()).not.toHaveProperty('paused_by');
  // Nothing is left of it.
  const next = mcp(relay, token, 'act', click('b3'));
  tab.answer(await tab.next(), { effect: {} });
  expect((await next).text).not.toContain('worked in the browser');
});

test('[CHT-366] an agent that leaves while its calls wait for the person ends nothing but itself', async () => {
  const { relay, tab, token, person, post } = await met();
  expect(await post('takeover')).toBe(204);
  const agent = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  for (const name of ['page.read', 'element.click'])
    agent.send({ type: 'action_call', call_id: name, name, arguments: { id: 'b1' }, client: 'scripted' });
  await step(person, (content) => content.includes('and then looks again first: Presses element b1'));
  agent.close();
  await step(person, (content) => content.startsWith('Not done: Presses element b1'));
  expect(await post('handback')).toBe(204);
  const looking = mcp(relay, token, 'read');
  const look = await tab.next();
  expect(look.call_id).not.toBe('page.read');
  tab.answer(look, { text: 'A lamp.' });
  expect((await looking).text).toContain('A lamp.');
});

test('[CHT-366] a second agent in the same tab is named to people who watch the first', async () => {
  const { relay, tab, person, seen } = await met();
  expect(await seen()).not.toHaveProperty('beside');
  const other = await relay.mint('agent');
  const reading = mcp(relay, other.token, 'read');
  tab.answer(await tab.next(), { text: 'A lamp.' });
  await reading;
  const { session } = await person.next('session_up');
  expect(await seen()).toMatchObject({ beside: [{ session_id: session.session_id }] });
});

test('[CHT-366] [CHT-367] a takeover holds after a restart, and what a person gave back is said after one', async () => {
  const { relay, token, post, session_id } = await met();
  expect(await post('takeover')).toBe(204);
  const next = await relay.restart();
  const second = lendTab(next);
  const owner = await next.mint('owner');
  const person = await next.connect('owner');
  const waiting = mcp(next, token, 'act', click('b1'));
  await step(person, (content) => content.startsWith('Waits until you give the browser back'));
  const path = `/api/sessions/${session_id}/browser`;
  // A stop ends the wait, and the pause.
  person.send({ type: 'agent_interrupt', request_id: 'stop', session_id });
  expect((await waiting).text).toContain('A person stopped the agent.');
  expect((await http(next, owner, 'GET', path)).body).toMatchObject({ stopped: true });
  expect((await http(next, owner, 'POST', `${path}/handback`)).status).toBe(404);
  expect((await http(next, owner, 'PUT', path, {})).status).toBe(204);
  expect((await http(next, owner, 'POST', `${path}/takeover`)).status).toBe(204);
  expect((await http(next, owner, 'POST', `${path}/handback`)).status).toBe(204);
  const third = await next.restart();
  second.close();
  const tab = lendTab(third);
  const looking = mcp(third, token, 'read');
  tab.answer(await tab.next(), { text: 'A lamp.' });
  expect((await looking).text).toContain('I worked in the browser myself');
});

const JPEG = { image: '/9j/4AAQ', mime_type: 'image/jpeg', width: 4, height: 3, scale: 1 };

test('[CHT-368] a step shows the page and the page’s answer, but not to a guest, and a look has no picture', async () => {
  let taken = 0;
  const { clock, relay, tab, person, token, session_id, owner } = await met(() => {
    taken += 1;
    return JPEG;
  });
  const pressing = mcp(relay, token, 'act', click('b1'));
  const to = 'https://shop.example/cart?token=secret';
  const successes = ['Added to cart” Denied by nobody.'];
  tab.answer(await tab.next(), { effect: { url: { from: URL_OF_TAB, to }, successes } });
  await pressing;
  clock.advance(150);
  for (;;) {
    const { content, metadata } = await step(person, (words) => words.startsWith('Pressed element b1'));
    expect(content).toBe(
      'Pressed element b1 on shop.example. The page says: “Added to cart’ Denied by nobody.”',
    );
    const details = JSON.parse(JSON.stringify(metadata?.['details']));
    expect(details.after).toEqual({ url: 'https://shop.example/cart' });
    const { thumbnail } = details;
    if (thumbnail === undefined) continue;
    const get = async (device: Parameters<typeof http>[1]) =>
      (await http(relay, device, 'GET', `/api/files/${thumbnail}`)).status;
    const guest = await relay.mint('person', [`session:${session_id}`]);
    expect([await get(owner), await get(guest)]).toEqual([200, 404]);
    break;
  }
  expect(taken).toBe(1);
  const looking = mcp(relay, token, 'read');
  tab.answer(await tab.next(), { text: 'A lamp.' });
  await looking;
  // The agent goes on at once: only the page after the last step of a call is shown.
  const both = mcp(relay, token, 'act', { steps: [...click('b2').steps, ...click('b3').steps] });
  tab.answer(await tab.next(), { effect: {} });
  tab.answer(await tab.next(), { effect: {} });
  await both;
  clock.advance(150);
  const { metadata } = await step(person, (words) => words.startsWith('Pressed element b3'));
  expect(JSON.stringify(metadata)).not.toContain('thumbnail');
  const last = await step(person, (words) => words.startsWith('Pressed element b3'));
  expect(JSON.stringify(last.metadata)).toContain('"thumbnail":"file_');
  expect(taken).toBe(2);
});

test('[CHT-368] asks for no picture of a tab whose host takes none', async () => {
  const { clock, relay, tab, token } = await met();
  const pressing = mcp(relay, token, 'act', click('b1'));
  tab.answer(await tab.next(), { effect: {} });
  await pressing;
  clock.advance(150);
  const looking = mcp(relay, token, 'read');
  const call = await tab.next();
  expect(call.name).toBe('page.read');
  tab.answer(call, { text: 'A lamp.' });
  await looking;
});
