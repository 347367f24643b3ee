import { BRIDGE_FEATURE_ITEMS } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { errorLike, setUp } from '../test/bridge-harness.ts';

const beyond = (types: readonly string[]) =>
  types.filter((type) => Object.hasOwn(BRIDGE_FEATURE_ITEMS, type));

describe('items beyond the protocol', () => {
  /** Triggers every such item: a probe, a cancel, progress, a runtime that leaves. */
  function walk(features: readonly string[]) {
    const { runtime, agent, clock } = setUp();
    const peer = runtime({ features: [...features] });
    const caller = agent(...features);
    caller.call('c1');
    peer.connection.receive({ type: 'action_progress', call_id: 'c1', runtime_id: 'r1', step: 'find' });
    caller.connection.receive({ type: 'action_cancel', call_id: 'c1' });
    clock.advance(6_000);
    caller.call('c2');
    peer.connection.close();
    return { toRuntime: beyond(peer.types()), toAgent: beyond(caller.types()) };
  }

  test('[BRG-119] are not sent to a peer that named none', () =>
    expect(walk([])).toEqual({ toRuntime: [], toAgent: [] }));

  test.each([
    ['agent_hello', { toRuntime: ['agent_hello'], toAgent: ['agent_hello'] }],
    ['action_cancel', { toRuntime: ['action_cancel'], toAgent: [] }],
    ['action_progress', { toRuntime: [], toAgent: ['action_progress'] }],
    ['runtime_probe', { toRuntime: ['runtime_probe'], toAgent: [] }],
    ['runtime_gone', { toRuntime: [], toAgent: ['runtime_gone'] }],
    ['something_else', { toRuntime: [], toAgent: [] }],
  ])('[BRG-119] a peer that named only %s gets only that', (feature, sent) => {
    expect(walk([feature])).toEqual(sent);
  });

  test('[BRG-135] sends its features once to a peer that names agent_hello', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({ features: ['agent_hello'] });
    peer.announce({ features: ['agent_hello'] });
    peer.announce({ runtime_id: 'r2', features: ['agent_hello'] });
    expect(peer.got).toEqual([
      { type: 'agent_hello', features: ['action_progress', 'runtime_probe', 'questions', 'grants'] },
    ]);
    expect(agent('agent_hello').last()).toEqual({ type: 'agent_hello', features: ['action_cancel'] });
  });

  test("[BRG-134] replaces an agent's features with a later agent_hello", () => {
    const { runtime, agent } = setUp();
    const caller = agent('runtime_gone');
    const peer = runtime({});
    caller.connection.receive({ type: 'agent_hello', features: [] });
    peer.connection.close();
    expect(caller.types()).toEqual(['runtime_ready']);
  });
});

describe('cancelling', () => {
  test("[BRG-136] ends the caller's call, notifies the runtime, and drops its late answer", () => {
    const { runtime, agent } = setUp();
    const peer = runtime({ features: ['action_cancel'] });
    const caller = agent();
    caller.call('c1');
    caller.connection.receive({ type: 'action_cancel', call_id: 'c1', reason: 'Changed my mind.' });
    expect(peer.last()).toEqual({ type: 'action_cancel', call_id: 'c1', reason: 'Changed my mind.' });
    peer.answer('c1');
    expect(caller.answers('c1')).toEqual([
      errorLike('handler_failed', { cancelled: true, reason: 'Changed my mind.' }, { call_id: 'c1' }),
    ]);
  });

  test('[BRG-136] cancels a local call the same way', async () => {
    const { bridge, runtime, clock } = setUp();
    const peer = runtime({ features: ['action_cancel'] });
    const { call_id, output, cancel } = bridge.call({ name: 'search', arguments: {} });
    cancel();
    cancel();
    expect(peer.got.slice(1)).toEqual([{ type: 'action_cancel', call_id }]);
    await expect(output).rejects.toMatchObject({ code: 'handler_failed', evidence: { cancelled: true } });
    expect(clock.pending()).toBe(0);
  });

  test('[BRG-136] never sends a call that was cancelled before', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime({ features: ['action_cancel', 'runtime_probe'] });
    clock.advance(6_000);
    const caller = agent();
    caller.call('c1');
    caller.connection.receive({ type: 'action_cancel', call_id: 'c1' });
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1' });
    expect(peer.types()).toEqual(['runtime_probe']);
    expect(caller.answers('c1')).toEqual([errorLike('handler_failed', { cancelled: true, sent: false })]);
  });

  test('[BRG-136] leaves calls of others and ended calls alone', () => {
    const { bridge, runtime, agent } = setUp();
    const peer = runtime({ features: ['action_cancel'] });
    const [caller, meddler] = [agent(), agent()];
    caller.call('c1');
    meddler.connection.receive({ type: 'action_cancel', call_id: 'c1' });
    bridge.call({ name: 'search', arguments: {}, call_id: 'c1' }).cancel();
    expect(caller.answers('c1')).toEqual([]);
    peer.answer('c1');
    caller.connection.receive({ type: 'action_cancel', call_id: 'c1' });
    expect(caller.answers('c1')).toHaveLength(1);
    expect(peer.types()).toEqual(['action_call']);
  });
});

test('cancels all calls of all callers, sent or not', async () => {
  const { bridge, runtime, agent, clock } = setUp();
  const peer = runtime({ features: ['action_cancel', 'runtime_probe'] });
  const caller = agent();
  caller.call('sent');
  const { output } = bridge.call({ name: 'search', arguments: {} });
  clock.advance(6_000);
  caller.call('waiting');
  expect(bridge.cancelAll('Stop everything.')).toBe(3);
  expect(peer.types().filter((type) => type === 'action_cancel')).toHaveLength(2);
  await expect(output).rejects.toMatchObject({ evidence: { cancelled: true, reason: 'Stop everything.' } });
  for (const call_id of ['sent', 'waiting']) {
    expect(caller.answers(call_id)).toEqual([errorLike('handler_failed', { cancelled: true })]);
  }
  expect(bridge.cancelAll('Again.')).toBe(0);
});

describe('progress', () => {
  test('[BRG-137] reaches only the caller, in order', async () => {
    const { bridge, runtime, agent } = setUp();
    const peer = runtime({});
    const other = agent('action_progress');
    const received: unknown[] = [];
    const { call_id, output } = bridge.call(
      { name: 'search', arguments: {} },
      { onProgress: (progress) => received.push(progress) },
    );
    const progress = { type: 'action_progress', call_id, runtime_id: 'r1' };
    peer.connection.receive({ ...progress, progress: 1, total: 2 });
    peer.connection.receive({ ...progress, progress: 2, total: 2 });
    peer.answer(call_id, 'done');
    expect(await output).toBe('done');
    expect(received).toEqual([
      { ...progress, progress: 1, total: 2 },
      { ...progress, progress: 2, total: 2 },
    ]);
    expect(beyond(other.types())).toEqual([]);
  });

  test('[BRG-155] [BRG-137] leaves the call alone when a progress listener throws', async () => {
    const { bridge, runtime, faults } = setUp();
    const peer = runtime({});
    const onProgress = () => {
      throw new Error('a bad listener');
    };
    const { call_id, output } = bridge.call({ name: 'search', arguments: {} }, { onProgress });
    peer.connection.receive({ type: 'action_progress', call_id, runtime_id: 'r1' });
    peer.answer(call_id, 'done');
    expect(await output).toBe('done');
    expect(faults).toEqual([new Error('a bad listener')]);
  });
});

test('[BRG-138] tells agents that named it once that a runtime left, and why', () => {
  const { runtime, agent } = setUp();
  const caller = agent('runtime_gone');
  const tab = runtime({ runtime_id: 'r1', runtime_key: 'tab:1' });
  tab.announce({ runtime_id: 'r2', runtime_key: 'tab:1' });
  tab.connection.close('Tab closed.');
  tab.connection.close('Again.');
  expect(caller.got.filter(({ type }) => type === 'runtime_gone')).toEqual([
    { type: 'runtime_gone', runtime_id: 'r1', reason: 'Runtime r2 took its place.' },
    { type: 'runtime_gone', runtime_id: 'r2', reason: 'Tab closed.' },
  ]);
  expect(caller.types()).toEqual(['runtime_ready', 'runtime_gone', 'runtime_ready', 'runtime_gone']);
});
