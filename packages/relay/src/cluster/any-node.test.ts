import type { Brain } from '@drawbridge/brain';
import { connectWebSocket } from '@drawbridge/link';
import type { BridgeItem } from '@drawbridge/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useCluster } from '../../test/cluster/use-cluster.ts';
import { answerOf, promptOf, sendOf } from '../../test/contract/frames.ts';
import type { Device } from '../../test/contract/peer.ts';
import { startProxy } from '../../test/contract/scripted-proxy.ts';
import { CLICK, FIRST, scriptedBrain as steppingBrain } from '../../test/interact/interact-harness.ts';
import { startPostServer, subscribedBrowser } from '../../test/notifications/push-service.ts';
import { connectClient, joined, nextEvent } from '../../test/pusher/pusher-harness.ts';
import { upgradeStatus } from '../../test/server/test-relay.ts';
import { call, click, ended, lendRemoteTab, scriptedBrain } from '../../test/tasks/relay-tasks.ts';

let brain: Brain | undefined;
const { node, at, device } = useCluster(3, {
  brain: () => brain,
  notices: { loopback: true, retryMs: [0, 0] },
  limits: { person_sockets: 4 },
});

const socketAt = (number: number, path: string, { token }: Device) => {
  const link = connectWebSocket({ url: `${node(number).url.replace('http', 'ws')}${path}`, token });
  onTestFinished(link.close);
  return link;
};

test('[INT-170] [INT-171] a Pusher client on one node receives the actions of an extension and a person on the others', async () => {
  brain = steppingBrain(() => CLICK);
  const [owner, extension, person] = [await device('owner'), await device('runtime'), await device('person')];
  const interact = async (more: object) =>
    (await call(node(2), extension, 'POST /api/agent/interact', { ...FIRST, ...more })).body.data;
  const { sessionId, taskId } = await interact({});
  const { key } = (await call(node(2), owner, 'GET /api/pusher/config')).body;
  const channel = await joined(connectClient(node(1), key, person), `private-session-${sessionId}`);
  const ids: string[] = [];
  channel.bind('new_message', ({ message }: { message: { messageId: string } }) =>
    ids.push(message.messageId),
  );
  const round = nextEvent(channel, 'interact_response');
  await interact({ taskId, lastActionStatus: 'success' });
  expect(await round).toMatchObject({ type: 'interact_response', sessionId, taskId });

  const screen = await at(2).connect('person');
  for (const id of ['m1', 'm2']) {
    screen.send(sendOf(sessionId, id));
    await screen.next('message_delivered', { client_message_id: id });
  }
  await expect.poll(() => ids).toContain('m2');
  expect(ids.filter((id) => id.startsWith('m'))).toEqual(['m1', 'm2']);
});

test('a prompt from one node notifies a phone on another once, not where it is seen, and not after it is answered', async () => {
  const service = await startPostServer();
  const person = await device('person');
  const phone = subscribedBrowser(service);
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
  const put = async (number: number, path: string, body: object) => {
    const url = `${node(number).url}/api/push/${path}`;
    return (await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) })).status;
  };
  expect(await put(1, 'subscription', phone.subscription)).toBe(200);
  const screen = await at(1).connect('person');
  const { peer: agent } = await startProxy(at(2), { sessions: [['rings', 'Rings']] });
  await screen.next('session_up', { session: { session_id: 'rings' } });
  const answer = async (prompt_id: string) => {
    await screen.next('permission_prompt', { prompt_id });
    screen.send(answerOf('rings', prompt_id, { request_id: `answer ${prompt_id}` }));
    await screen.next('message_event', { message: { message_id: `after ${prompt_id}` } });
  };

  agent.send(promptOf('rings', 'p1'));
  const delivered = phone.read(await service.next());
  expect(delivered).toMatchObject({ type: 'notice', kind: 'prompt', prompt_id: 'p1' });
  await answer('p1');
  expect(phone.read(await service.next())).toEqual({ type: 'close', close: delivered['tag'] });

  expect(await put(0, 'visible', { session_id: 'rings', screen_id: 'tab' })).toBe(204);
  agent.send(promptOf('rings', 'p2'));
  const log = async () => (await call(node(2), person, 'GET /api/push/log')).body.notices;
  await expect.poll(log).toMatchObject([
    { prompt_id: 'p2', state: 'suppressed', reason: 'visible', attempts: 0 },
    { prompt_id: 'p1', state: 'sent', attempts: 1, closed_at: expect.any(Number) },
  ]);
  await answer('p2');

  expect(await put(2, 'visible', { session_id: null, screen_id: 'tab' })).toBe(204);
  agent.send(promptOf('rings', 'p3'));
  expect(phone.read(await service.next())).toMatchObject({ type: 'notice', prompt_id: 'p3' });
  expect(service.posted).toHaveLength(3);
});

const QUESTION = {
  ...{ origin: 'https://shop.example', name: 'order.place', effect: 'irreversible' as const },
  ...{ sentence: 'Place the order.', data: ['sku: tea'], call_hash: 'hash', timeout_ms: 60_000 },
};

/** A tab that asks a person before each call, and reports the decision. */
function lendCarefulTab(number: number, own: Device, runtime_id: string): void {
  const link = socketAt(number, '/ws/runtime', own);
  link.onState(({ kind }) => {
    const url = 'https://shop.example/';
    if (kind === 'open') link.send({ type: 'runtime_ready', runtime_id, url, features: ['questions'] });
  });
  link.onItem((item) => {
    if (item.type === 'action_call') {
      const { call_id } = item;
      const question = { ...QUESTION, question_id: call_id, call_id };
      link.send({ type: 'grant_question', runtime_id, question });
    }
    if (item.type === 'grant_answer') {
      const { question_id: call_id, decision, by } = item;
      link.send({ type: 'action_call_output', runtime_id, call_id, output: { decision, by } });
    }
  });
}

test('[BRG-162] [CHT-219] a tab on one node asks, a person on another answers, and the call from the third continues; the second answer names the first', async () => {
  const [phone, laptop] = [
    await at(0).connect(await device('person', { label: 'Phone' })),
    await at(1).connect(await device('person', { label: 'Laptop' })),
  ];
  const runtime_id = 'tab_careful';
  lendCarefulTab(1, await device('runtime'), runtime_id);
  const agent = socketAt(2, '/ws/agent', await device('agent'));
  const items: BridgeItem[] = [];
  agent.onItem((item) => items.push(item));
  await expect
    .poll(() => items)
    .toContainEqual(expect.objectContaining({ type: 'runtime_ready', runtime_id }));
  agent.send({ type: 'action_call', call_id: 'pay', runtime_id, name: 'order.place', arguments: {} });

  const asked = await phone.next('permission_prompt', { prompt_id: 'pay' });
  const { session_id } = await laptop.next('permission_prompt', { prompt_id: 'pay' });
  expect(asked.prompt_text).toContain('Place the order.');
  expect(items.filter(({ type }) => type === 'action_call_output')).toEqual([]);
  phone.send(answerOf(session_id, 'pay', { choice_id: 'once', request_id: 'first' }));
  await phone.next('agent_control_result', { request_id: 'first', result: 'ok' });
  await expect
    .poll(() => items.filter(({ type }) => type === 'action_call_output'))
    .toMatchObject([{ call_id: 'pay', output: { decision: 'once', by: 'Phone' } }]);

  laptop.send(answerOf(session_id, 'pay', { choice_id: 'deny', request_id: 'second' }));
  expect(await laptop.next('agent_control_result', { request_id: 'second' })).toMatchObject({
    result: 'failed',
    error: { code: 'prompt_not_found', message: 'Already answered on Phone.' },
  });
});

test('a halt on one node ends a task that another accepted, in a tab of a third', async () => {
  brain = scriptedBrain(click, click, click);
  const tab = lendRemoteTab(node(1).url, (await device('runtime')).token, 'tab_stopped');
  tab.hold();
  const [owner, agent] = [await device('owner'), await device('agent')];
  const { body } = await call(node(2), agent, 'POST /api/tasks', { prompt: 'Fill the cart' });
  await tab.begun(1);
  const over = ended(node(1), agent, body.task_id);
  expect((await call(node(0), owner, 'POST /api/halt')).status).toBe(200);
  expect(await over).toMatchObject({ state: 'cancelled' });
  expect(tab.acts).toHaveLength(1);
});

test('the quota of a device is shared between the nodes it is connected to', async () => {
  const person = await device('person');
  const headers = { authorization: `Bearer ${person.token}` };
  const another = (status: number) =>
    vi.waitUntil(async () => (await upgradeStatus(node(1).url, '/ws/chat', { headers })) === status, {
      timeout: 30_000,
    });
  await at(1).connect(person);
  await at(1).connect(person);
  await another(101);
  const elsewhere = await at(2).connect(person);
  await another(429);
  await elsewhere.cut();
  await another(101);
});
