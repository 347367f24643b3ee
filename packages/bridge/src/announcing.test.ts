import { describe, expect, test } from 'vitest';
import { errorLike, readyItem, setUp } from '../test/bridge-harness.ts';

describe('announcements of a runtime', () => {
  test('[BRG-32] keeps the last value of a field missing from a status', () => {
    const { bridge, runtime } = setUp();
    const { connection } = runtime({});
    const attachments = [{ id: 'launcher', state: 'attached' }];
    connection.receive({ type: 'runtime_status', runtime_id: 'r1', states: ['open'], attachments });
    connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://shop.example/a' });
    connection.receive({ type: 'runtime_status', runtime_id: 'r1', states: [] });
    expect(bridge.runtimes()[0]?.status).toEqual({
      type: 'runtime_status',
      runtime_id: 'r1',
      url: 'https://shop.example/a',
      states: [],
      attachments,
    });
  });

  test('[BRG-32] [BRG-56] routes calls by the url of the latest status', () => {
    const { runtime, agent } = setUp();
    const peer = runtime({});
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://shop.example/cart' });
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1', states: [] });
    const caller = agent();
    caller.call('c1', { target_url_contains: '/cart' });
    expect(peer.calls()).toHaveLength(1);
  });

  test('[BRG-33] [BRG-108] replaces url, title, capabilities and map with a further runtime_ready', () => {
    const { bridge, runtime, agent } = setUp();
    const peer = runtime({ title: 'Old', capabilities: ['a'], manifest: { tools: [] } });
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://shop.example/old' });
    const again = {
      title: 'New',
      url: 'https://shop.example/new',
      manifest: { tools: [{ name: 'cart.add' }] },
    };
    const caller = agent();
    caller.call('c1', { name: 'cart.add' });
    peer.announce(again);
    expect(bridge.runtimes()).toEqual([
      expect.objectContaining({ runtime_id: 'r1', ready: readyItem(again) }),
    ]);
    caller.call('c2', { target_url_contains: '/new', target_title_contains: 'New', name: 'cart.add' });
    caller.call('c3', { target_url_contains: '/old' });
    expect(caller.answers('c1')).toEqual([errorLike('unknown_action')]);
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual(['c2']);
    expect(caller.answers('c3')).toEqual([errorLike('runtime_not_found')]);
  });

  test('[BRG-108] lets a local runtime edit its map and announce the same object again', () => {
    const { runtime, agent } = setUp();
    const peer = runtime();
    const tools: object[] = [];
    const ready = readyItem({ manifest: { tools } });
    peer.connection.receive(ready);
    const caller = agent();
    caller.call('c1', { name: 'cart.add' });
    tools.push({ name: 'cart.add' });
    peer.connection.receive(ready);
    caller.call('c2', { name: 'cart.add' });
    expect(caller.answers('c1')).toEqual([errorLike('unknown_action')]);
    expect(peer.calls().map(({ call_id }) => call_id)).toEqual(['c2']);
  });

  test('[BRG-34] [BRG-37] refuses a status before runtime_ready and sends no call there', () => {
    const { bridge, runtime, agent } = setUp();
    const peer = runtime();
    peer.connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://shop.example/' });
    expect(bridge.runtimes()).toEqual([]);
    expect(peer.got).toEqual([
      errorLike('runtime_not_ready', { type: 'runtime_status' }, { runtime_id: 'r1' }),
    ]);
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1' });
    expect(caller.answers('c1')).toEqual([errorLike('runtime_not_found')]);
  });

  test.each([
    { type: 'runtime_status', url: 'https://evil.example/' },
    { type: 'dom_event', event_id: 'e1', name: 'cart.changed', payload: {} },
    { type: 'action_call_output', call_id: 'c1', output: 'forged' },
    { type: 'action_progress', call_id: 'c1', step: 'forged' },
    { type: 'runtime_probe_result', probe_id: 'p1', state: 'awake' },
  ])('[BRG-37] a $type about the runtime of another connection is refused and changes nothing', (item) => {
    const { bridge, runtime, agent, events } = setUp();
    runtime({});
    const otherDevice = runtime({ runtime_id: 'r2' });
    const caller = agent('action_progress');
    caller.call('c1', { runtime_id: 'r1' });
    const before = { runtimes: bridge.runtimes(), heard: caller.got.length, events: events.length };
    otherDevice.connection.receive({ ...item, runtime_id: 'r1' });
    expect(otherDevice.last()).toEqual(
      errorLike('runtime_not_ready', { type: item.type }, { runtime_id: 'r1' }),
    );
    expect({ runtimes: bridge.runtimes(), heard: caller.got.length, events: events.length }).toEqual(before);
  });

  test('[BRG-37] [BRG-146] drops an error about the runtime of another connection', () => {
    const { runtime, agent } = setUp();
    runtime({});
    const otherDevice = runtime({ runtime_id: 'r2' });
    const caller = agent();
    caller.call('c1', { runtime_id: 'r1' });
    const received = caller.got.length;
    const error = { code: 'handler_failed', message: 'Forged.' };
    for (const subject of [
      { runtime_id: 'r1' },
      { runtime_id: 'r1', call_id: 'c1' },
      { call_id: 'c1' },
      {},
    ]) {
      otherDevice.connection.receive({ type: 'action_error', ...subject, error });
    }
    expect(caller.got).toHaveLength(received);
    expect(otherDevice.got).toEqual([]);
  });
});

describe('replacing a runtime', () => {
  test('[BRG-45] [BRG-143] takes the id over within one owner, and closes the older connection', () => {
    const { bridge, runtime, agent } = setUp();
    const older = runtime({ title: 'Old' }, 'device-1');
    const newer = runtime({ title: 'New' }, 'device-1');
    expect(bridge.runtimes().map(({ ready }) => ready.title)).toEqual(['New']);
    expect(older.closed).toEqual([expect.stringContaining('r1')]);
    agent().call('c1');
    expect([older.calls().length, newer.calls().length]).toEqual([0, 1]);
    older.connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://late.example/' });
    older.connection.close();
    expect(bridge.runtimes()).toHaveLength(1);
  });

  test('[BRG-143] keeps a connection that still has another runtime', () => {
    const { bridge, runtime } = setUp();
    const older = runtime({ runtime_id: 'r1' });
    older.announce({ runtime_id: 'r2' });
    runtime({ runtime_id: 'r1' });
    expect(older.closed).toEqual([]);
    expect(bridge.runtimes().map(({ runtime_id }) => runtime_id)).toEqual(['r2', 'r1']);
  });

  test('[BRG-45] [BRG-142] refuses an id that another owner holds', () => {
    const { bridge, runtime } = setUp();
    runtime({ title: 'Mine' }, 'device-1');
    const thief = runtime({ title: 'Stolen' }, 'device-2');
    expect(thief.got).toEqual([errorLike('permission_denied', {}, { runtime_id: 'r1' })]);
    expect(bridge.runtimes().map(({ ready }) => ready.title)).toEqual(['Mine']);
  });

  test('[BRG-142] [BRG-58] lets two owners use one key, and reports a call by it as ambiguous', () => {
    const { bridge, runtime, agent } = setUp();
    runtime({ runtime_id: 'r1', runtime_key: 'chrome-tab:7' }, 'device-1');
    runtime({ runtime_id: 'r2', runtime_key: 'chrome-tab:7' }, 'device-2');
    expect(bridge.runtimes()).toHaveLength(2);
    const caller = agent();
    caller.call('c1', { target: { runtime_key: 'chrome-tab:7' } });
    expect(caller.answers('c1')).toEqual([errorLike('ambiguous_runtime')]);
  });

  test('[BRG-36] removes the older runtime of a key, on any connection', () => {
    const { bridge, runtime, events } = setUp();
    const tab = runtime({ runtime_id: 'r1', runtime_key: 'tab:1' });
    tab.announce({ runtime_id: 'r2', runtime_key: 'tab:1' });
    runtime({ runtime_id: 'r3', runtime_key: 'tab:1' });
    expect(bridge.runtimes().map(({ runtime_id }) => runtime_id)).toEqual(['r3']);
    const gone = events.filter((event) => event.kind === 'gone');
    expect(gone.map(({ runtime_id }) => runtime_id)).toEqual(['r1', 'r2']);
    expect(tab.closed).toHaveLength(1);
  });

  test('[BRG-153] limits the runtimes of a connection', () => {
    const { bridge, runtime } = setUp({ limits: { maxRuntimesPerConnection: 2 } });
    const peer = runtime({ runtime_id: 'r1', runtime_key: 'k1' });
    peer.announce({ runtime_id: 'r2' });
    peer.announce({ runtime_id: 'r3' });
    expect(peer.last()).toEqual(errorLike('permission_denied', {}, { runtime_id: 'r3' }));
    peer.announce({ runtime_id: 'r2', title: 'Again' });
    peer.announce({ runtime_id: 'r4', runtime_key: 'k1' });
    expect(bridge.runtimes().map(({ runtime_id }) => runtime_id)).toEqual(['r2', 'r4']);
  });
});

describe('agents', () => {
  test('[BRG-116] receive the latest ready and status of each runtime on connecting', () => {
    const { runtime, agent } = setUp();
    const first = runtime({ runtime_id: 'r1', title: 'Old' });
    first.announce({ runtime_id: 'r1', title: 'New' });
    first.connection.receive({ type: 'runtime_status', runtime_id: 'r1', states: ['a'] });
    first.connection.receive({ type: 'runtime_status', runtime_id: 'r1', url: 'https://shop.example/b' });
    runtime({ runtime_id: 'r2' });
    expect(agent().got).toEqual([
      readyItem({ title: 'New' }),
      { type: 'runtime_status', runtime_id: 'r1', states: ['a'], url: 'https://shop.example/b' },
      readyItem({ runtime_id: 'r2' }),
    ]);
  });

  test("[BRG-47] receive a runtime's items in order, like listeners", () => {
    const { runtime, agent, events } = setUp();
    const agents = [agent(), agent()];
    const { connection } = runtime({});
    const status = { type: 'runtime_status', runtime_id: 'r1', states: ['open'] };
    const event = { type: 'dom_event', event_id: 'e1', runtime_id: 'r1', name: 'opened', payload: { a: 1 } };
    connection.receive(status);
    connection.receive(event);
    for (const { got } of agents) expect(got).toEqual([readyItem(), status, event]);
    expect(events.map(({ kind }) => kind)).toEqual(['runtime', 'runtime', 'item']);
  });

  test('[BRG-47] that answer synchronously do not get ahead of the others', () => {
    const { bridge, agent } = setUp();
    const connection = bridge.connectAgent({
      send: (item) => {
        if (item.type === 'runtime_ready') {
          connection.receive({ type: 'action_call', call_id: 'c1', name: 'search', arguments: {} });
        }
      },
    });
    const other = agent();
    const hasty = bridge.connectRuntime({
      send: (item) => {
        if (item.type !== 'action_call') return;
        hasty.receive({ type: 'dom_event', event_id: 'e1', runtime_id: 'r1', name: 'opened', payload: {} });
      },
    });
    hasty.receive(readyItem());
    expect(other.types()).toEqual(['runtime_ready', 'dom_event']);
  });

  test("[BRG-42] receive a runtime's error with its runtime_id filled in", () => {
    const { runtime, agent, events } = setUp();
    const { connection } = runtime({});
    const caller = agent();
    connection.receive({
      type: 'action_error',
      runtime_id: 'r1',
      error: { code: 'capability_unavailable', message: 'The launcher could not be attached.' },
    });
    const expected = errorLike('capability_unavailable', {}, { runtime_id: 'r1' });
    expect(caller.last()).toEqual(expected);
    expect(caller.last()).not.toHaveProperty('call_id');
    expect(events.at(-1)).toEqual({ kind: 'item', item: expected });
  });

  test('[BRG-155] and listeners that throw do not disturb others', () => {
    const { bridge, runtime, agent, faults, events } = setUp();
    bridge.watch(() => {
      throw new Error('a bad listener');
    });
    bridge.connectAgent({
      send: () => {
        throw new Error('a bad agent');
      },
    });
    const good = agent();
    runtime({});
    expect(good.types()).toEqual(['runtime_ready']);
    expect(events).toHaveLength(1);
    expect(faults).toEqual([new Error('a bad agent'), new Error('a bad listener')]);
  });

  test('does not call a listener that stopped watching', () => {
    const { bridge, runtime } = setUp();
    const received: unknown[] = [];
    const stop = bridge.watch((event) => received.push(event));
    stop();
    runtime({});
    expect(received).toEqual([]);
  });
});
