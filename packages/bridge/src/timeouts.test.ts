import { expect, test } from 'vitest';
import { errorLike, setUp } from '../test/bridge-harness.ts';

const GRACE_MS = 500;

test('[BRG-98] [BRG-102] ends a call at its timeout_ms when the runtime stays silent', () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 2_000 });
  expect(peer.calls()).toEqual([expect.objectContaining({ timeout_ms: 2_000 })]);
  clock.advance(2_000 + GRACE_MS - 1);
  expect(caller.answers('c1')).toEqual([]);
  clock.advance(1);
  expect(caller.answers('c1')).toEqual([
    errorLike('handler_timeout', { elapsed_ms: 2_500, timeout_ms: 2_000, sent: true }, { runtime_id: 'r1' }),
  ]);
});

test('[BRG-99] gives a call without timeout_ms 30 seconds, and tells the runtime', () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({});
  const caller = agent();
  caller.call('c1');
  expect(peer.calls()).toEqual([expect.objectContaining({ timeout_ms: 30_000 })]);
  clock.advance(30_000 + GRACE_MS);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout', { timeout_ms: 30_000 })]);
});

test("[BRG-49] [BRG-102] prefers the runtime's own handler_timeout", () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 1_000 });
  clock.advance(1_100);
  const error = { code: 'handler_timeout', message: 'Too long.', evidence: { step: 'pay' } };
  peer.connection.receive({ type: 'action_error', call_id: 'c1', runtime_id: 'r1', error });
  clock.advance(60_000);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout', { step: 'pay' })]);
});

test('[BRG-101] [BRG-137] reports the last known step, and grants no extra time for progress', () => {
  const { runtime, agent, clock } = setUp();
  const { connection } = runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 1_000 });
  const progress = { type: 'action_progress', call_id: 'c1', runtime_id: 'r1' };
  connection.receive({ ...progress, step: 'find' });
  clock.advance(900);
  connection.receive({ ...progress, step: 'fill' });
  connection.receive({ ...progress, message: 'Still filling' });
  clock.advance(600);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout', { step: 'fill', elapsed_ms: 1_500 })]);
});

test('[BRG-101] invents no step', () => {
  const { runtime, agent, clock } = setUp();
  runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 0 });
  caller.call('c2', { timeout_ms: 1 });
  clock.advance(1 + GRACE_MS);
  for (const id of ['c1', 'c2']) {
    expect(caller.answers(id)).toEqual([errorLike('handler_timeout')]);
    expect(caller.answers(id)[0]).not.toHaveProperty('error.evidence.step');
  }
});

test('[BRG-144] does not send a call without time', () => {
  const { runtime, agent } = setUp();
  const peer = runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 0 });
  expect(peer.calls()).toEqual([]);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout', { sent: false })]);
});

test('[BRG-144] counts the time of a probe, and sends the remaining time', () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({ features: ['runtime_probe'] });
  clock.advance(6_000);
  const caller = agent();
  caller.call('c1', { timeout_ms: 1_000 });
  caller.call('c2', { timeout_ms: 5_000 });
  clock.advance(1_200);
  peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1' });
  expect(peer.calls()).toEqual([expect.objectContaining({ call_id: 'c2', timeout_ms: 3_800 })]);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout', { sent: false, elapsed_ms: 1_200 })]);
});

test('[BRG-144] limits timeout_ms to an hour', () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({});
  const caller = agent();
  caller.call('c1', { timeout_ms: 2 ** 40 });
  expect(peer.calls()).toEqual([expect.objectContaining({ timeout_ms: 3_600_000 })]);
  clock.advance(3_600_000 + GRACE_MS);
  expect(caller.answers('c1')).toEqual([errorLike('handler_timeout')]);
});

test('[BRG-144] [BRG-119] cancels at a runtime that supports it, and sends nothing to others', () => {
  const { runtime, agent, clock } = setUp();
  const one = runtime({ runtime_id: 'r1', features: ['action_cancel'] });
  const other = runtime({ runtime_id: 'r2' });
  const caller = agent();
  caller.call('c1', { runtime_id: 'r1', timeout_ms: 10 });
  caller.call('c2', { runtime_id: 'r2', timeout_ms: 10 });
  clock.advance(10 + GRACE_MS);
  expect(one.got.slice(1)).toEqual([{ type: 'action_cancel', call_id: 'c1', reason: 'timeout' }]);
  expect(other.types()).toEqual(['action_call']);
});

test('[BRG-102] leaves no timer after an answer', () => {
  const { runtime, agent, clock } = setUp();
  const peer = runtime({});
  agent().call('c1');
  expect(clock.pending()).toBe(1);
  peer.answer('c1');
  expect(clock.pending()).toBe(0);
});
