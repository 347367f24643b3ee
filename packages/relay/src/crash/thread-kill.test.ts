import { connectWebSocket } from '@drawbridge/link';
import type { ActionCall } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { createRelayLives } from '../../test/crash/relay-lives.ts';
import { openPeer, temporaryFolder } from '../../test/server/test-relay.ts';
import { mcp } from '../../test/threads/thread-harness.ts';

/** A tab of another process; the test answers its calls. */
function openTab(url: string, token: string) {
  const calls: ActionCall[] = [];
  const runtime_id = 'tab_1';
  const link = connectWebSocket({ url: `${url.replace('http', 'ws')}/ws/runtime`, token });
  onTestFinished(link.close);
  link.onItem((item) => item.type === 'action_call' && calls.push(item));
  link.onState(({ kind }) => {
    if (kind !== 'open') return;
    link.send({
      ...{ type: 'runtime_ready', runtime_id, runtime_key: 'key_1', url: 'https://shop.example/lamps' },
      ...{ title: 'Lamps', capabilities: ['page.read', 'element.click'], features: ['questions'] },
    });
  });
  const called = async (id: string): Promise<ActionCall> => {
    await expect.poll(() => calls.some((call) => call.arguments['id'] === id)).toBe(true);
    const call = calls.find((each) => each.arguments['id'] === id);
    if (call === undefined) throw new Error('The call was there.');
    return call;
  };
  return { link, runtime_id, calls, called };
}

async function watch(url: string, token: string) {
  const person = await openPeer(url, { token, device_id: '', role: 'person' });
  person.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  return { person, ack: await person.next('connection_ack') };
}

test('[CHT-331] [CHT-342] after a kill the conversation and what waits agree, and nothing is pressed twice', async () => {
  const lives = createRelayLives(await temporaryFolder(), { spare: false });
  onTestFinished(lives.close);
  const roles = ['person', 'agent', 'runtime'] as const;
  const tokens = await lives.begin(roles.map((role) => ({ role, scopes: [] })));
  const [person = '', agent = '', runtime = ''] = tokens;
  const url = await lives.url();
  const tab = openTab(url, runtime);
  const { person: screen } = await watch(url, person);
  await expect.poll(async () => (await mcp({ url }, agent, 'tabs', { do: 'list' })).text).toContain('Lamps');
  const press = (id: string) =>
    mcp({ url }, agent, 'act', { steps: [{ do: 'click', id }] }).catch(() => undefined);

  const first = press('done');
  const { call_id } = await tab.called('done');
  tab.link.send({
    ...{ type: 'action_call_output', call_id },
    runtime_id: tab.runtime_id,
    output: { effect: {} },
  });
  await first;
  // Pressed on the page; the relay is killed before it learns of it.
  const second = press('lost');
  await tab.called('lost');
  const third = press('asked');
  const asked = await tab.called('asked');
  tab.link.send({
    type: 'grant_question',
    runtime_id: tab.runtime_id,
    question: {
      ...{ question_id: 'q1', call_id: asked.call_id, origin: 'https://shop.example', name: asked.name },
      ...{
        effect: 'irreversible',
        sentence: 'Place the order.',
        data: [],
        call_hash: 'h',
        timeout_ms: 600_000,
      },
    },
  });
  const { session_id } = await screen.next('permission_prompt');
  await lives.kill();
  await Promise.all([second, third]);
  tab.link.close();

  await lives.begin();
  const next = await lives.url();
  const again = openTab(next, runtime);
  const { person: later } = await watch(next, person);
  const openPrompts = async () => (await watch(next, person)).ack.open_prompts ?? [];
  await expect.poll(openPrompts).toEqual([]);
  const steps = async () => {
    later.send({ type: 'history_request', session_id });
    const { messages } = await later.next('history_snapshot');
    return messages.map(({ content, metadata }) => {
      const [, status] = /"status":"(\w+)"/.exec(JSON.stringify(metadata)) ?? [];
      return `${content.split(' on ')[0]}: ${status}`;
    });
  };
  await expect
    .poll(steps)
    .toEqual(['Pressed element done: ok', 'Presses element lost: unknown', 'Presses element asked: unknown']);
  // The next call is the first that the tab gets.
  await expect
    .poll(async () => (await mcp({ url: next }, agent, 'tabs', { do: 'list' })).text)
    .toContain('Lamps');
  const fresh = mcp({ url: next }, agent, 'act', { steps: [{ do: 'click', id: 'fresh' }] });
  const call = await again.called('fresh');
  again.link.send({
    ...{ type: 'action_call_output', call_id: call.call_id },
    runtime_id: again.runtime_id,
    output: { effect: {} },
  });
  expect((await fresh).status).toBe(200);
  expect(again.calls.map((each) => each.arguments['id'])).toEqual(['fresh']);
  await lives.kill();
});
