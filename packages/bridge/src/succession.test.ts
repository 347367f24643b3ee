import { describe, expect, test } from 'vitest';
import { errorLike, setUp } from './bridge.suite.ts';

const TAB = { runtime_id: 'r1', runtime_key: 'tab:1' };
const RESUMES = { features: ['resume'] };

describe('a connection that ends', () => {
  test('[BRG-91] fails the calls that wait there, with a structured error', async () => {
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

  test('[BRG-91] leaves the calls of other connections alone', () => {
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

  test('[BRG-91] [BRG-155] a call that cannot be delivered gets transport_failed', () => {
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

  test('is closed once: what comes later is not heard', () => {
    const { bridge, runtime, events } = setUp();
    const peer = runtime({});
    peer.connection.close();
    peer.connection.close();
    peer.announce();
    expect(bridge.runtimes()).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['runtime', 'gone']);
  });
});

describe('a runtime that takes the place of another', () => {
  test('[BRG-36] the calls pending there end when the older one does not resume', () => {
    const { runtime, agent } = setUp();
    const tab = runtime(TAB);
    const caller = agent();
    caller.call('c1');
    tab.announce({ ...TAB, runtime_id: 'r2', ...RESUMES });
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed', {}, { runtime_id: 'r1' })]);
  });

  test('[BRG-36] they end when the newer one does not resume', () => {
    const { runtime, agent } = setUp();
    const tab = runtime({ ...TAB, ...RESUMES });
    const caller = agent();
    caller.call('c1');
    tab.announce({ ...TAB, runtime_id: 'r2' });
    expect(caller.answers('c1')).toEqual([errorLike('transport_failed')]);
  });

  test.each([['r2'], ['r1']])(
    '[BRG-36] [BRG-141] [BRG-50] the newer one carries them on, and answers as %s',
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

  test('[BRG-141] across connections: the call waits, is not sent again, and only the successor answers', () => {
    const { runtime, agent, clock } = setUp();
    const first = runtime({ ...TAB, ...RESUMES });
    const caller = agent();
    caller.call('c1', { timeout_ms: 10_000 });
    first.connection.close();
    clock.advance(5_000);
    const stranger = runtime({ runtime_id: 'r3', runtime_key: 'tab:3', ...RESUMES });
    stranger.answer('c1', 'wrong');
    const second = runtime({ ...TAB, runtime_id: 'r2', ...RESUMES });
    expect(second.calls()).toEqual([]);
    second.answer('c1', 'done');
    expect(caller.answers('c1')).toEqual([expect.objectContaining({ output: 'done' })]);
    expect(clock.pending()).toBe(0);
  });

  test('[BRG-141] one that comes back under its own id carries on without a key', () => {
    const { runtime, agent } = setUp();
    runtime(RESUMES);
    const caller = agent();
    caller.call('c1');
    runtime(RESUMES).answer('c1', 'done');
    expect(caller.answers('c1')).toEqual([expect.objectContaining({ output: 'done' })]);
  });

  test('[BRG-141] [BRG-142] the same key of another owner is no successor', () => {
    const { runtime, agent } = setUp();
    const first = runtime({ ...TAB, ...RESUMES }, 'device-1');
    const caller = agent();
    caller.call('c1');
    first.connection.close();
    const other = runtime({ ...TAB, runtime_id: 'r2', ...RESUMES }, 'device-2');
    other.answer('c1', 'forged');
    expect(caller.answers('c1')).toEqual([]);
  });

  test('[BRG-141] [BRG-98] if nobody comes the call ends at its limit', () => {
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

describe('the end', () => {
  test('[BRG-152] an agent that leaves has its calls cancelled, and nobody else', () => {
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

  test('[BRG-152] closing the bridge ends every call and every connection, and leaves no timer', async () => {
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

  test('[BRG-152] a closed bridge takes no call and no connection', async () => {
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
