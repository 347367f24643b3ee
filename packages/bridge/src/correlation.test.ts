import { BridgeError } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { errorLike, readyItem, setUp } from '../test/bridge-harness.ts';

describe('a call and its answer', () => {
  test("[BRG-39] [BRG-40] keep the caller's id and name the runtime", () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const caller = agent();
    caller.call('call-of-the-model', { arguments: { query: 'tea' } });
    expect(peer.calls()).toEqual([
      expect.objectContaining({ call_id: 'call-of-the-model', arguments: { query: 'tea' } }),
    ]);
    peer.answer('call-of-the-model', { found: [1, null] });
    expect(caller.answers('call-of-the-model')).toEqual([
      {
        type: 'action_call_output',
        call_id: 'call-of-the-model',
        runtime_id: 'r1',
        output: { found: [1, null] },
      },
    ]);
  });

  test('[BRG-39] gives a local call a new id, or keeps its own', async () => {
    const { bridge, runtime } = setUp();
    const peer = runtime({});
    const made = bridge.call({ name: 'search', arguments: {} });
    const kept = bridge.call({ name: 'search', arguments: {}, call_id: 'mine' });
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual([made.call_id, 'mine']);
    expect(made.call_id).not.toBe('mine');
    peer.answer('mine', 2);
    peer.answer(made.call_id, 1);
    expect(await Promise.all([made.output, kept.output])).toEqual([1, 2]);
  });

  test('[BRG-22] treats an output of null as an answer', async () => {
    const { bridge, runtime } = setUp();
    const peer = runtime({});
    const { call_id, output } = bridge.call({ name: 'search', arguments: {} });
    peer.answer(call_id, null);
    expect(await output).toBeNull();
  });

  test("[BRG-41] [BRG-74] passes a runtime's error to its caller with the call_id filled in", async () => {
    const { bridge, runtime, agent } = setUp();
    const { connection } = runtime({});
    const caller = agent();
    caller.call('c1');
    const here = bridge.call({ name: 'search', arguments: {}, call_id: 'c2' });
    const error = { code: 'target_not_found', message: 'There is no such button.' };
    for (const call_id of ['c1', 'c2']) connection.receive({ type: 'action_error', call_id, error });
    expect(caller.answers('c1')).toEqual([errorLike('target_not_found', {}, { runtime_id: 'r1' })]);
    await expect(here.output).rejects.toMatchObject({
      ...error,
      name: 'BridgeError',
      severity: 'major',
      recoverable: true,
      evidence: { runtime_id: 'r1' },
    });
  });

  test('[BRG-41] [BRG-27] passes an unknown code to agents, and maps it to handler_failed locally', async () => {
    const { bridge, runtime, agent } = setUp();
    const { connection } = runtime({});
    const caller = agent();
    caller.call('c1');
    const here = bridge.call({ name: 'search', arguments: {}, call_id: 'c2' });
    const error = { code: 'tab_closed', message: 'Gone.', recoverable: false, evidence: { tab: 7 } };
    for (const call_id of ['c1', 'c2']) {
      connection.receive({ type: 'action_error', call_id, runtime_id: 'r1', error });
    }
    expect(caller.answers('c1')).toEqual([
      { type: 'action_error', call_id: 'c1', runtime_id: 'r1', error: { severity: 'major', ...error } },
    ]);
    await expect(here.output).rejects.toMatchObject({
      code: 'handler_failed',
      recoverable: false,
      evidence: { runtime_id: 'r1', code: 'tab_closed', tab: 7 },
    });
  });

  test('[BRG-47] delivers calls to the runtime in order', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const callers = [agent(), agent()];
    const order = Array.from({ length: 20 }, (_, at) => `c${at}`);
    for (const [at, id] of order.entries()) callers[at % 2]?.call(id);
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual(order);
  });

  test('[BRG-48] refuses a pending call_id and keeps the pending call', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const [first, second] = [agent(), agent()];
    first.call('c1');
    second.call('c1');
    expect(second.answers('c1')).toEqual([
      errorLike('invalid_input', { path: 'call_id' }, { call_id: 'c1' }),
    ]);
    expect(peer.calls()).toHaveLength(1);
    expect(first.answers('c1')).toEqual([]);
    peer.answer('c1');
    expect(first.answers('c1')).toHaveLength(1);
    expect(second.answers('c1')).toHaveLength(1);
    second.call('c1');
    expect(peer.calls()).toHaveLength(2);
  });

  test('[BRG-49] drops everything after the answer', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const caller = agent('action_progress');
    caller.call('c1');
    peer.answer('c1', 'first');
    const received = caller.got.length;
    peer.answer('c1', 'second');
    const error = { code: 'handler_failed', message: 'Too late.' };
    peer.connection.receive({ type: 'action_error', call_id: 'c1', runtime_id: 'r1', error });
    peer.connection.receive({ type: 'action_progress', call_id: 'c1', runtime_id: 'r1' });
    peer.answer('never-made', 'out of nowhere');
    expect(caller.got).toHaveLength(received);
    expect(peer.types()).toEqual(['action_call']);
  });

  test('[BRG-50] drops an answer from another runtime, even of the same connection', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({ runtime_id: 'r1' });
    peer.announce({ runtime_id: 'r2' });
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1' });
    peer.answer('c1', 'wrong', 'r2');
    expect(caller.answers('c1')).toEqual([]);
    peer.answer('c1', 'right', 'r1');
    expect(caller.answers('c1')).toEqual([expect.objectContaining({ output: 'right' })]);
  });

  test('[BRG-47] accepts a synchronous answer of a local runtime', async () => {
    const { bridge } = setUp();
    const connection = bridge.connectRuntime({
      send: (item) => {
        if (item.type !== 'action_call') return;
        const { call_id, arguments: output } = item;
        connection.receive({ type: 'action_call_output', call_id, runtime_id: 'r1', output });
      },
    });
    connection.receive(readyItem());
    expect(await bridge.call({ name: 'echo', arguments: { a: 1 } }).output).toEqual({ a: 1 });
  });
});

test("[BRG-49] [BRG-155] ends a call once, without a timer, when the host's ids fail", () => {
  const { runtime, agent, clock, faults } = setUp({
    ids: () => {
      throw new Error('no entropy');
    },
  });
  runtime({ features: ['runtime_probe'] });
  const caller = agent();
  clock.advance(6_000);
  caller.call('c1');
  expect(caller.answers('c1')).toEqual([errorLike('transport_failed')]);
  expect(faults).toEqual([new Error('no entropy')]);
  clock.advance(60_000);
  expect(caller.answers('c1')).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

describe('an invalid item', () => {
  test.each([
    ['text that is no JSON', '{"type":', undefined],
    ['an unknown type', { type: 'action_dance', call_id: 'c9' }, 'c9'],
    ['a missing field', { type: 'action_call', call_id: 'c9', arguments: {} }, 'c9'],
    ['text with a missing field', '{"type":"action_call","call_id":"c9","name":"a"}', 'c9'],
    ['no object', 7, undefined],
    ['nothing', undefined, undefined],
    ['an id that is no string', { type: 'action_call', call_id: 7 }, undefined],
    ['an id that is too long', { type: 'action_call', call_id: 'x'.repeat(257) }, undefined],
  ])('[BRG-72] [BRG-74] %s is answered, and the connection stays open', (_what, item, call_id) => {
    const { runtime, agent, faults } = setUp();
    const peer = runtime({});
    const caller = agent();
    for (const side of [peer, caller]) {
      side.connection.receive(item);
      expect(side.last()).toEqual(errorLike('invalid_input', {}, call_id === undefined ? {} : { call_id }));
      if (call_id === undefined) expect(side.last()).not.toHaveProperty('call_id');
      expect(side.closed).toEqual([]);
    }
    caller.connection.receive('{"type":"action_call","call_id":"c1","name":"search","arguments":{}}');
    expect(peer.calls()).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('[BRG-72] fails a local call without throwing', async () => {
    const { bridge, runtime } = setUp();
    const peer = runtime({});
    const { output } = bridge.call({ name: '', arguments: {} });
    await expect(output).rejects.toMatchObject({ code: 'invalid_input', evidence: { path: 'name' } });
    await expect(output).rejects.toBeInstanceOf(BridgeError);
    expect(peer.calls()).toEqual([]);
  });

  test.each([
    { type: 'action_call_output', call_id: 'c1', runtime_id: 'r1' },
    { type: 'action_error', call_id: 'c1', runtime_id: 'r1', error: 'It failed.' },
  ])('[BRG-145] an answer that does not parse ends its call: $type', (item) => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const caller = agent();
    caller.call('c1');
    peer.connection.receive(item);
    expect(caller.answers('c1')).toEqual([errorLike('invalid_result', { name: 'search' })]);
  });

  test('[BRG-145] does not end the call of another runtime', () => {
    const { runtime, agent } = setUp();
    runtime({});
    const otherDevice = runtime({ runtime_id: 'r2' });
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1' });
    otherDevice.connection.receive({ type: 'action_call_output', call_id: 'c1', runtime_id: 'r1' });
    expect(caller.answers('c1')).toEqual([]);
  });

  test('[BRG-146] is not answered when it is an error, from any sender', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    const caller = agent();
    const received = caller.got.length;
    for (const error of [{ code: 'invalid_input', message: 'No.' }, 'No.', undefined]) {
      for (const side of [peer, caller]) side.connection.receive({ type: 'action_error', error });
    }
    expect(peer.got).toEqual([]);
    expect(caller.got).toHaveLength(received);
  });
});

describe('roles of a connection', () => {
  const call = { type: 'action_call', call_id: 'c1', name: 'search', arguments: {} };

  test('[BRG-114] do not let a runtime call', () => {
    const { runtime } = setUp();
    const [caller, other] = [runtime({}), runtime({ runtime_id: 'r2' })];
    caller.connection.receive({ ...call, runtime_id: 'r2' });
    expect(caller.last()).toEqual(errorLike('permission_denied', { role: 'runtime' }, { call_id: 'c1' }));
    expect(other.calls()).toEqual([]);
  });

  test.each([
    { type: 'agent_hello', features: ['runtime_gone'] },
    { type: 'action_cancel', call_id: 'c1' },
    { type: 'runtime_probe', runtime_id: 'r2', probe_id: 'p1' },
    { type: 'runtime_gone', runtime_id: 'r2', reason: 'Forged.' },
  ])('[BRG-114] a runtime may not send $type', (item) => {
    const { bridge, runtime, agent } = setUp();
    const [peer, other] = [runtime({}), runtime({ runtime_id: 'r2' })];
    const caller = agent('runtime_gone');
    caller.call('c1', { runtime_id: 'r2' });
    const received = caller.got.length;
    peer.connection.receive(item);
    expect(peer.got).toEqual([errorLike('permission_denied', { role: 'runtime', type: item.type })]);
    expect([other.types(), caller.got.length, bridge.runtimes().length]).toEqual([
      ['action_call'],
      received,
      2,
    ]);
  });

  test.each([
    readyItem({ runtime_id: 'r9' }),
    { type: 'runtime_status', runtime_id: 'r1', url: 'https://evil.example/' },
    { type: 'action_call_output', call_id: 'c1', runtime_id: 'r1', output: 'forged' },
    { type: 'dom_event', event_id: 'e1', runtime_id: 'r1', name: 'opened', payload: {} },
    { type: 'action_progress', call_id: 'c1', runtime_id: 'r1' },
    { type: 'runtime_probe_result', runtime_id: 'r1', probe_id: 'p1', state: 'awake' },
    { type: 'runtime_gone', runtime_id: 'r1', reason: 'Forged.' },
  ])('[BRG-114] an agent may not send $type', (item) => {
    const { bridge, runtime, agent } = setUp();
    runtime({});
    const [caller, forger] = [agent(), agent()];
    caller.call('c1');
    const before = bridge.runtimes();
    forger.connection.receive(item);
    expect(forger.last()).toEqual(errorLike('permission_denied', { role: 'agent', type: item.type }));
    expect(bridge.runtimes()).toEqual(before);
    expect(caller.answers('c1')).toEqual([]);
  });
});
