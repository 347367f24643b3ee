import { connectWebSocket } from '@drawbridge/link';
import type { BridgeItem, GrantQuestion } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestDevice, type TestRelay } from '../../test/server/test-relay.ts';

const QUESTION: GrantQuestion['question'] = {
  question_id: 'q1',
  call_id: 'c1',
  origin: 'https://shop.example',
  name: 'order.place',
  effect: 'irreversible',
  sentence: 'Place the order.',
  data: ['sku: tea'],
  call_hash: 'hash-1',
  timeout_ms: 60_000,
};

/** A browser of another process, with one tab. */
async function joinBrowser(relay: TestRelay, runtime_id: string, device?: TestDevice) {
  const { device_id, token } = device ?? (await relay.mint('runtime'));
  const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/runtime`, token });
  onTestFinished(link.close);
  const answers: BridgeItem[] = [];
  link.onItem((item) => item.type === 'grant_answer' && answers.push(item));
  link.send({ type: 'runtime_ready', runtime_id, url: 'https://shop.example/', features: ['questions'] });
  return {
    link,
    device_id,
    session_id: `browser_${device_id}`,
    answers,
    ask: (fields: Partial<typeof QUESTION> = {}) =>
      link.send({ type: 'grant_question', runtime_id, question: { ...QUESTION, ...fields } }),
  };
}

const answerTo = (session_id: string, prompt_id: string, choice_id: string) => ({
  type: 'permission_response',
  request_id: `answer_${choice_id}`,
  session_id,
  prompt_id,
  choice_id,
});

test('[BRG-162] [BRG-167] a browser of another process asks as its own device, and the ledger records who answered', async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const browser = await joinBrowser(relay, 'tab_1');
  browser.ask();
  const { session_id, prompt_id, prompt_text } = await phone.next('permission_prompt');
  expect(session_id).toBe(browser.session_id);
  expect(prompt_text).toContain('Place the order.');
  phone.send(answerTo(session_id, prompt_id, 'once'));
  await expect
    .poll(() => browser.answers)
    .toEqual([
      { type: 'grant_answer', question_id: 'q1', decision: 'once', call_hash: 'hash-1', by: 'a person' },
    ]);
  await expect
    .poll(() => relay.ledger.prompt(session_id, prompt_id))
    .toMatchObject({
      state: 'answered',
      answer: { device_id: phone.device?.device_id, choice_id: 'once' },
    });
});

test('[BRG-167] two browsers with the same question are answered separately', async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const [left, right] = [await joinBrowser(relay, 'tab_1'), await joinBrowser(relay, 'tab_2')];
  left.ask();
  await phone.next('permission_prompt');
  right.ask();
  await phone.next('permission_prompt');
  phone.send(answerTo(right.session_id, 'q1', 'once'));
  await expect.poll(() => right.answers).toMatchObject([{ decision: 'once' }]);
  phone.send(answerTo(left.session_id, 'q1', 'deny'));
  await expect.poll(() => left.answers).toMatchObject([{ decision: 'deny', by: 'a person' }]);
  expect(right.answers).toHaveLength(1);
});

test("[BRG-165] [BRG-167] a browser's question ends when it disconnects or its device is revoked", async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const leaving = await joinBrowser(relay, 'tab_1');
  leaving.ask();
  await phone.next('permission_prompt');
  leaving.link.close();
  expect(await phone.next('permission_prompt_expired')).toMatchObject({ session_id: leaving.session_id });

  const revoked = await joinBrowser(relay, 'tab_2');
  revoked.ask();
  await phone.next('permission_prompt');
  await relay.devices.revoke(revoked.device_id, 'machine');
  expect(await phone.next('permission_prompt_expired')).toMatchObject({ session_id: revoked.session_id });
  expect([...leaving.answers, ...revoked.answers]).toEqual([]);
});

test("[BRG-171] a browser's question is closed after a relay restart, and the next one is asked", async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const device = await relay.mint('runtime');
  const browser = await joinBrowser(relay, 'tab_1', device);
  browser.ask();
  const { session_id } = await phone.next('permission_prompt');
  const again = await relay.restart();
  await expect.poll(() => again.ledger.openPrompts()).toEqual([]);
  expect(await again.ledger.prompt(session_id, 'q1')).toMatchObject({ state: 'expired' });
  expect(await again.ledger.session(session_id)).toMatchObject({ metadata: { display_name: 'a runtime' } });

  const desktop = await again.connect('person');
  const back = await joinBrowser(again, 'tab_1', device);
  back.ask({ question_id: 'q2' });
  expect(await desktop.next('permission_prompt')).toMatchObject({ session_id, prompt_id: 'q2' });
  desktop.send(answerTo(session_id, 'q2', 'once'));
  await expect.poll(() => back.answers).toMatchObject([{ question_id: 'q2', decision: 'once' }]);
});

test('[BRG-167] denies a second question of one device with the same id', async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const device = await relay.mint('runtime');
  const [one, two] = [await joinBrowser(relay, 'tab_1', device), await joinBrowser(relay, 'tab_2', device)];
  one.ask();
  await phone.next('permission_prompt');
  two.ask();
  await expect.poll(() => two.answers).toMatchObject([{ decision: 'deny', by: 'nobody' }]);
  two.ask({ question_id: 'q2' });
  expect(await phone.next('permission_prompt')).toMatchObject({
    session_id: one.session_id,
    prompt_id: 'q2',
  });
  expect(one.answers).toEqual([]);
});

test('[BRG-167] a browser that has asked is not listed as an agent to stop', async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const browser = await joinBrowser(relay, 'tab_1');
  browser.ask();
  await phone.next('permission_prompt');
  const { token } = await relay.mint('owner');
  const halted = await fetch(`${relay.url}/api/halt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await halted.json()).toMatchObject({ interrupted: [], idle: [], failed: [] });
});

test('[BRG-178] a question names the agent, and a denial carries the person’s reason', async () => {
  const relay = await startTestRelay();
  const phone = await relay.connect('person');
  const browser = await joinBrowser(relay, 'tab_1');
  const agent = await relay.mint('agent');
  const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token: agent.token });
  onTestFinished(link.close);
  const asked = new Promise<void>((resolve) => {
    browser.link.onItem((item) => item.type === 'action_call' && resolve());
  });
  link.send({
    type: 'action_call',
    call_id: 'c7',
    runtime_id: 'tab_1',
    name: 'element.click',
    arguments: {},
  });
  await asked;
  browser.ask({ call_id: 'c7' });
  const { session_id, prompt_id, prompt_text } = await phone.next('permission_prompt');
  expect(prompt_text).toContain('\nAsked by: a agent\n');
  phone.send({ ...answerTo(session_id, prompt_id, 'deny'), reason: 'Too dear.\nTake the small one.' });
  await expect
    .poll(() => browser.answers)
    .toMatchObject([
      { decision: 'deny', reason: 'a person refused it: Too dear. Take the small one.', by: 'a person' },
    ]);
});
