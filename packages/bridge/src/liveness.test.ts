import { describe, expect, test } from 'vitest';
import { errorLike, setUp } from '../test/bridge-harness.ts';

const PROBED = { features: ['runtime_probe'] };

describe('a quiet runtime', () => {
  test('[BRG-139] is reported as quiet after five seconds of silence, and as awake on its next item', () => {
    const { bridge, runtime, clock } = setUp();
    const { connection } = runtime({});
    clock.advance(5_000);
    expect(bridge.runtimes()[0]?.liveness).toBe('awake');
    clock.advance(1);
    expect(bridge.runtimes()[0]?.liveness).toBe('quiet');
    connection.receive({ type: 'runtime_status', runtime_id: 'r1' });
    expect(bridge.runtimes()[0]?.liveness).toBe('awake');
  });

  test('[BRG-38] [BRG-139] is not probed before it is quiet', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.advance(5_000);
    agent().call('c1');
    expect(peer.types()).toEqual(['action_call']);
  });

  test('[BRG-38] is probed, and gets the call when it answers', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.advance(5_001);
    const caller = agent();
    caller.call('c1');
    expect(peer.got).toEqual([{ type: 'runtime_probe', runtime_id: 'r1', probe_id: 'probe-1' }]);
    clock.advance(1_499);
    expect(caller.answers('c1')).toEqual([]);
    peer.connection.receive({
      type: 'runtime_probe_result',
      runtime_id: 'r1',
      probe_id: 'probe-1',
      state: 'awake',
    });
    expect(peer.types()).toEqual(['runtime_probe', 'action_call']);
    clock.advance(10);
    expect(caller.answers('c1')).toEqual([]);
  });

  test('[BRG-38] [BRG-139] leaves when it does not answer the probe', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.advance(6_000);
    const caller = agent();
    caller.call('c1');
    clock.advance(1_500);
    expect(caller.answers('c1')).toEqual([
      errorLike('runtime_not_ready', { state: 'gone', quiet_ms: 7_500 }, { call_id: 'c1', runtime_id: 'r1' }),
    ]);
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1' });
    expect(peer.calls()).toEqual([]);
  });

  test('[BRG-38] [BRG-139] is asleep when its host says so, and is probed again for the next call', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.advance(6_000);
    const caller = agent();
    caller.call('c1');
    const asleep = { type: 'runtime_probe_result', runtime_id: 'r1', state: 'asleep' };
    peer.connection.receive({ ...asleep, probe_id: 'probe-of-old' });
    expect(caller.answers('c1')).toEqual([]);
    peer.connection.receive({ ...asleep, probe_id: 'probe-1' });
    expect(caller.answers('c1')).toEqual([errorLike('runtime_not_ready', { state: 'asleep' })]);
    caller.call('c2');
    expect(peer.types()).toEqual(['runtime_probe', 'runtime_probe']);
  });

  test('[BRG-140] [BRG-47] gets waiting calls in order after one shared probe', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.advance(6_000);
    const caller = agent();
    caller.call('c1');
    caller.call('c2');
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1' });
    caller.call('c3');
    expect(peer.types()).toEqual(['runtime_probe', 'action_call', 'action_call', 'action_call']);
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual(['c1', 'c2', 'c3']);
    expect(clock.pending()).toBe(3);
  });

  test('[BRG-139] [BRG-119] without probe support gets calls for half a minute, then none', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime({});
    const caller = agent();
    clock.advance(30_000);
    caller.call('c1');
    expect(peer.types()).toEqual(['action_call']);
    clock.advance(1);
    caller.call('c2');
    expect(peer.types()).toEqual(['action_call']);
    expect(caller.answers('c2')).toEqual([
      errorLike('runtime_not_ready', { state: 'gone', quiet_ms: 30_001 }),
    ]);
  });

  test('[BRG-38] exists after a laptop wakes up', () => {
    const { runtime, agent, clock } = setUp();
    const peer = runtime(PROBED);
    clock.jump(3_600_000);
    agent().call('c1');
    expect(peer.types()).toEqual(['runtime_probe']);
    clock.jump(-7_200_000);
    expect(() => clock.advance(1_500)).not.toThrow();
  });
});

describe('an absent runtime', () => {
  test('[BRG-78] [BRG-149] is runtime_not_ready for five minutes after it disconnected', () => {
    const { runtime, agent, clock } = setUp();
    runtime({ runtime_key: 'tab:1', title: 'Shop' }).connection.close('Tab closed.');
    const caller = agent();
    const selectors = [
      { runtime_id: 'r1' },
      { target: { runtime_key: 'tab:1' } },
      { target_url_contains: 'shop.' },
    ];
    clock.advance(300_000);
    for (const [at, selector] of selectors.entries()) {
      caller.call(`c${at}`, selector);
      const evidence = { state: 'gone', runtime_id: 'r1', gone_ms: 300_000, reason: 'Tab closed.' };
      expect(caller.answers(`c${at}`)).toEqual([errorLike('runtime_not_ready', evidence)]);
    }
    clock.advance(1);
    caller.call('later', { runtime_id: 'r1' });
    expect(caller.answers('later')).toEqual([errorLike('runtime_not_found')]);
  });

  test('[BRG-63] is runtime_not_found for a call that names none', () => {
    const { runtime, agent } = setUp();
    runtime({}).connection.close();
    const caller = agent();
    caller.call('c1');
    expect(caller.answers('c1')).toEqual([errorLike('runtime_not_found')]);
  });

  test('[BRG-78] gets calls again when it comes back', () => {
    const { runtime, agent } = setUp();
    runtime({}).connection.close();
    const back = runtime({});
    agent().call('c1', { runtime_id: 'r1' });
    expect(back.calls()).toHaveLength(1);
  });

  test('[BRG-149] redirects the id of a replaced runtime to its successor', () => {
    const { runtime, agent } = setUp();
    const tab = runtime({ runtime_id: 'r1', runtime_key: 'tab:1' });
    tab.announce({ runtime_id: 'r2', runtime_key: 'tab:1' });
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1' });
    expect(caller.answers('c1')).toEqual([
      errorLike('runtime_not_ready', { state: 'gone', replaced_by: 'r2' }),
    ]);
    expect(tab.calls()).toEqual([]);
  });

  test('[BRG-149] limits remembered runtimes to the latest', () => {
    const { runtime, agent } = setUp({ limits: { maxRemembered: 2 } });
    for (const runtime_id of ['r1', 'r2', 'r3']) runtime({ runtime_id }).connection.close();
    const caller = agent();
    for (const runtime_id of ['r1', 'r2', 'r3']) caller.call(runtime_id, { runtime_id });
    expect(caller.answers('r1')).toEqual([errorLike('runtime_not_found')]);
    expect(caller.answers('r2')).toEqual([errorLike('runtime_not_ready')]);
    expect(caller.answers('r3')).toEqual([errorLike('runtime_not_ready')]);
  });

  test('[BRG-79] [BRG-150] without its map is runtime_not_ready at once', () => {
    const { runtime, agent } = setUp();
    const peer = runtime();
    const caller = agent();
    caller.call('c1');
    expect(caller.answers('c1')).toEqual([errorLike('runtime_not_ready', { state: 'loading' })]);
    peer.announce();
    caller.call('c2');
    expect(peer.calls()).toHaveLength(1);
  });

  test('[BRG-153] with too many pending calls gets no more', () => {
    const { runtime, agent } = setUp({ limits: { maxPendingPerRuntime: 2 } });
    const peer = runtime({});
    const caller = agent();
    for (const id of ['c1', 'c2', 'c3']) caller.call(id);
    expect(caller.answers('c3')).toEqual([errorLike('runtime_not_ready', { state: 'busy' })]);
    peer.answer('c1');
    caller.call('c4');
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual(['c1', 'c2', 'c4']);
  });
});
