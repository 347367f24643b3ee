import { describe, expect, test } from 'vitest';
import { errorLike, setUp } from '../test/bridge-harness.ts';

const TAB = { runtime_id: 'r1', runtime_key: 'tab:1' };
const RESUMES = { features: ['resume'] };

describe('a closed connection', () => {
  test('[BRG-91] fails its pending calls with a structured error', async () => {
    const { bridge, runtime, agent } = setUp();
    const peer = runtime({});
    const caller = agent();
    caller.call('c1');
    const here = bridge.call({ name: 'search', arguments: {} });
    peer.connection.receive({ type: 'action_progress', call_id: 'c1', runtime_id: 'r1', step: 'pay' });
    peer.connection.close('The socket closed.');
    const evidence = { reason: 'The socket closed.', sent: true };
    expect(caller.answers('c1')).toEqual([
      errorLike('transport_failed', { ...evidence, step: 'pay' }, { call_id: 'c1', runtime_id: 'r1' }),
    ]);
    await expect(here.output).rejects.toMatchObject({ code: 'transport_failed', evidence });
  });

  test('[BRG-91] leaves calls of other connections alone', () => {
    const { runtime, agent } = setUp();
    const [peer, other] = [runtime({}), runtime({ runtime_id: 'r2' })];
    const caller = agent();
    caller.call('c1', { runtime_id: 'r2' });
    peer.connection.close();
    expect(caller.answers('c1')).toEqual([]);
    other.answer('c1');
    expect(caller.answers('c1')).toHaveLength(1);
  });

  test('[BRG-91] fails a call that waited for a probe and was never sent', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime({ features: ['runtime_probe', 'resume'] });
    clock.advance(6_000);
    const caller = agent();
    caller.call('c1');
    peer.connection.close();
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', { sent: false })]);
    expect(clock.pending()).toBe(0);
  });

  test('[BRG-91] [BRG-155] fails an undeliverable call with transport_failed', () => {
    const { bridge, agent, faults } = setUp();
    const connection = bridge.connectRuntime({
      send: () => {
        throw new Error('EPIPE');
      },
    });
    connection.receive({ type: 'runtime_ready', runtime_id: 'r1', url: 'https://shop.example/' });
    const caller = agent();
    caller.call('c1');
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', { sent: false })]);
    expect(faults).toEqual([new Error('EPIPE')]);
  });

  test('closes once and ignores later items', () => {
    const { bridge, runtime, events } = setUp();
    const peer = runtime({});
    peer.connection.close();
    peer.connection.close();
    peer.announce();
    expect(bridge.runtimes()).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['runtime', 'gone']);
  });
});

describe('a replaced runtime', () => {
  test('[BRG-36] ends its pending calls when the older one does not support resume', () => {
    const { runtime, agent } = setUp();
    const tab = runtime(TAB);
    const caller = agent();
    caller.call('c1');
    tab.announce({ ...TAB, runtime_id: 'r2', ...RESUMES });
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', {}, { runtime_id: 'r1' })]);
  });

  test('[BRG-36] ends its pending calls when the newer one does not support resume', () => {
    const { runtime, agent } = setUp();
    const tab = runtime({ ...TAB, ...RESUMES });
    const caller = agent();
    caller.call('c1');
    tab.announce({ ...TAB, runtime_id: 'r2' });
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed')]);
  });

  test.each([['r2'], ['r1']])(
    '[BRG-36] [BRG-141] [BRG-50] hands its calls to the newer one, which answers as %s',
    (from) => {
      const { runtime, agent } = setUp();
      const tab = runtime({ ...TAB, ...RESUMES });
      const caller = agent();
      caller.call('c1');
      tab.announce({ ...TAB, runtime_id: 'r2', ...RESUMES });
      expect(caller.answers('c1')).toEqual([]);
      tab.answer('c1', 'done', from);
      expect(caller.answers('c1')).toEqual([expect.objectContaining({ runtime_id: from, output: 'done' })]);
      expect(tab.calls()).toHaveLength(1);
    },
  );

  test('[BRG-141] keeps a call waiting across connections, without resending, for the successor only', () => {
    const { runtime, agent, clock } = setUp();
    const first = runtime({ ...TAB, ...RESUMES });
    const caller = agent();
    caller.call('c1', { timeout_ms: 10_000 });
    first.connection.close();
    clock.advance(5_000);
    const otherDevice = runtime({ runtime_id: 'r3', runtime_key: 'tab:3', ...RESUMES });
    otherDevice.answer('c1', 'wrong');
    const second = runtime({ ...TAB, runtime_id: 'r2', ...RESUMES });
    expect(second.calls()).toEqual([]);
    second.answer('c1', 'done');
    expect(caller.answers('c1')).toEqual([expect.objectContaining({ output: 'done' })]);
    expect(clock.pending()).toBe(0);
  });

  test('[BRG-141] continues without a key when it comes back under its own id', () => {
    const { runtime, agent } = setUp();
    runtime(RESUMES);
    const caller = agent();
    caller.call('c1');
    runtime(RESUMES).answer('c1', 'done');
    expect(caller.answers('c1')).toEqual([expect.objectContaining({ output: 'done' })]);
  });

  test('[BRG-141] [BRG-142] has no successor with the same key of another owner', () => {
    const { runtime, agent } = setUp();
    const first = runtime({ ...TAB, ...RESUMES }, 'device-1');
    const caller = agent();
    caller.call('c1');
    first.connection.close();
    const other = runtime({ ...TAB, runtime_id: 'r2', ...RESUMES }, 'device-2');
    other.answer('c1', 'forged');
    expect(caller.answers('c1')).toEqual([]);
  });

  test('[BRG-141] [BRG-98] ends the call at its deadline without a successor', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime({ ...TAB, ...RESUMES });
    const caller = agent();
    caller.call('c1', { timeout_ms: 10_000 });
    peer.connection.close();
    clock.advance(10_499);
    expect(caller.answers('c1')).toEqual([]);
    clock.advance(1);
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', { elapsed_ms: 10_500 })]);
  });
});

describe('closing', () => {
  test('[BRG-152] cancels the calls of an agent that leaves, and no others', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({ features: ['action_cancel'] });
    const [leaver, stayer] = [agent(), agent()];
    leaver.call('c1');
    stayer.call('c2');
    leaver.connection.close('Its socket closed.');
    expect(peer.got.slice(2)).toEqual([
      { type: 'action_cancel', call_id: 'c1', reason: 'Its socket closed.' },
    ]);
    peer.answer('c1');
    peer.answer('c2');
    expect(leaver.answers('c1')).toEqual([]);
    expect(stayer.answers('c2')).toHaveLength(1);
    leaver.call('c3');
    expect(peer.calls()).toHaveLength(2);
  });

  test('[BRG-152] ends every call and connection, and leaves no timer', async () => {
    const { bridge, runtime, agent, clock, events } = setUp();
    const peer = runtime({ features: ['resume', 'runtime_probe'] });
    const caller = agent();
    caller.call('c1');
    clock.advance(6_000);
    const here = bridge.call({ name: 'search', arguments: {} });
    bridge.close();
    bridge.close();
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', { sent: true })]);
    await expect(here.output).rejects.toMatchObject({ code: 'transport_failed', evidence: { sent: false } });
    expect([peer.closed.length, caller.closed.length, clock.pending()]).toEqual([1, 1, 0]);
    expect(bridge.runtimes()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: 'gone', runtime_id: 'r1' });
  });

  test('[BRG-152] refuses calls and connections afterwards', async () => {
    const { bridge, runtime, agent } = setUp();
    bridge.close();
    const peer = runtime({});
    const caller = agent();
    caller.call('c1');
    expect([peer.closed.length, caller.closed.length]).toEqual([1, 1]);
    expect(bridge.runtimes()).toEqual([]);
    await expect(bridge.call({ name: 'search', arguments: {} }).output).rejects.toMatchObject({
      code: 'transport_failed',
    });
  });
});
