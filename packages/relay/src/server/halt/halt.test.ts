import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { call, leave, startProxy } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay, type TestPeer } from '../../../test/server/test-relay.ts';

/** Receives that many interrupts, and answers each with the entry of `answers` for its session. */
async function answerInterrupts(proxy: TestPeer, answers: Readonly<Record<string, object | undefined>>) {
  for (const _ of Object.keys(answers)) {
    const { session_id, request_id } = await proxy.next('agent_interrupt');
    const answer = answers[session_id];
    const command = 'agent_interrupt';
    if (answer !== undefined) {
      proxy.send({ type: 'agent_control_result', session_id, request_id, command, ...answer });
    }
  }
}

test('[BRG-170] interrupts every agent, cancels every call, revokes every grant, and records who did it', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'away'), screen);
  const one = await startProxy(relay, 'works', 'rests');
  const two = await startProxy(relay, 'stuck');
  const toRuntime: unknown[] = [];
  const runtime = relay.bridge.connectRuntime({ send: (item) => toRuntime.push(item) });
  const ready = { type: 'runtime_ready', runtime_id: 'tab', url: 'https://shop.example/' };
  runtime.receive({ ...ready, features: ['action_cancel', 'grants'] });
  const { output } = relay.bridge.call({ name: 'buy', arguments: {} });
  let revoked = 0;
  relay.onHalt(() => {
    revoked += 1;
  });

  const answering = Promise.all([
    answerInterrupts(one, {
      works: { result: 'ok' },
      rests: { result: 'failed', error: { code: 'agent_not_active', message: 'It does nothing.' } },
    }),
    answerInterrupts(two, {
      stuck: { result: 'failed', error: { code: 'target_gone', message: 'Its window is gone.' } },
    }),
  ]);
  const halted = await call(relay, person, 'POST /api/halt');
  await answering;
  expect(halted).toMatchObject({
    status: 200,
    body: {
      interrupted: [{ session_id: 'works', name: 'Agent works' }],
      idle: [{ session_id: 'rests' }],
      failed: [{ session_id: 'stuck', reason: 'Its window is gone.' }],
      calls_cancelled: 1,
    },
  });
  await expect(output).rejects.toMatchObject({ evidence: { cancelled: true } });
  expect(toRuntime.slice(-2)).toMatchObject([
    { type: 'grants_revoked', runtime_id: 'tab' },
    { type: 'action_cancel', reason: 'a person stopped everything.' },
  ]);
  expect(revoked).toBe(1);
  expect((await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0]).toMatchObject({
    action: 'halted',
    device_id: person.device_id,
    detail: { interrupted: ['works'], failed: ['stuck'], calls_cancelled: 1 },
  });
});

test('names an agent that does not answer or disconnects, after five seconds at most', async () => {
  const clock = createFakeClock(Date.parse('2026-06-01T00:00:00Z'));
  const relay = await startTestRelay({ clock });
  const silent = await startProxy(relay, 'silent');
  const leaving = await startProxy(relay, 'leaving');
  const halting = call(relay, await relay.mint('owner'), 'POST /api/halt');
  await answerInterrupts(silent, { silent: undefined });
  await answerInterrupts(leaving, { leaving: undefined });
  const screen = await relay.connect('person');
  await leave(leaving, screen);
  clock.advance(5_000);
  const { interrupted, failed } = (await halting).body;
  expect(interrupted).toEqual([]);
  expect(failed).toMatchObject([
    { session_id: 'leaving', reason: expect.stringContaining('went away') },
    { session_id: 'silent', reason: expect.stringContaining('did not answer') },
  ]);
});

test('answers at once with nothing to stop; names grants that stay', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const nothing = { interrupted: [], idle: [], failed: [], calls_cancelled: 0 };
  expect((await call(relay, owner, 'POST /api/halt')).body).toEqual(nothing);
  const cancel = relay.onHalt(() => {
    throw new Error('The disk is full.');
  });
  expect((await call(relay, owner, 'POST /api/halt')).body.failed).toMatchObject([{ name: 'Permissions' }]);
  cancel();
  expect((await call(relay, owner, 'POST /api/halt')).body).toEqual(nothing);
});

test('[CHT-190] messages for a browser are not lost to a halt that its device requests', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const proxy = await startProxy(relay);
  const browser = await relay.connect('owner', {}, { device: owner });
  browser.send({ type: 'launch_session', request_id: 'l1', agent_type: 'codex' });
  await proxy.next('launch_session');
  await browser.close();
  proxy.send({
    type: 'session_launch_failed',
    request_id: 'l1',
    agent_type: 'codex',
    error_code: 'x',
    reason: 'No.',
  });
  await proxy.settled();
  await call(relay, owner, 'POST /api/halt');
  const back = await relay.connect('owner', {}, { device: owner });
  expect(await back.next('session_launch_failed')).toMatchObject({ request_id: 'l1' });
});
