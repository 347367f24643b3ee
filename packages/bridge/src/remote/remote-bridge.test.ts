import { BridgeError, type BridgeItem } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { setUp } from '../../test/bridge-harness.ts';
import type { BridgeEvent } from '../bridge.ts';
import { createRemoteBridge } from './remote-bridge.ts';

/** A bridge, and an agent that reaches it as from another process: items pass as text. */
function farAgent() {
  const harness = setUp();
  let ids = 0;
  const events: BridgeEvent[] = [];
  const sent: BridgeItem[] = [];
  let say: (item: BridgeItem) => void = () => {};
  const remote = createRemoteBridge({
    newId: () => `far-${++ids}`,
    send: (item) => {
      sent.push(item);
      say(structuredClone(item));
    },
  });
  remote.watch((event) => events.push(event));
  /** Like a link, which reports open before any item. */
  const connect = () => {
    const early: BridgeItem[] = [];
    say = (item) => early.push(item);
    remote.opened();
    const connection = harness.bridge.connectAgent({
      send: (item) => remote.receive(structuredClone(item)),
    });
    say = connection.receive;
    for (const item of early) say(item);
    return connection;
  };
  return { ...harness, remote, events, sent, connect };
}

test('[BRG-116] lists the same runtimes as the bridge itself', () => {
  const { bridge, remote, runtime, connect } = farAgent();
  connect();
  const one = runtime({ runtime_id: 'r1', capabilities: ['page.info'] });
  one.connection.receive({
    type: 'runtime_status',
    runtime_id: 'r1',
    states: ['open'],
    url: 'https://a.example/2',
  });
  runtime({ runtime_id: 'r2' });
  expect(remote.runtimes()).toEqual(bridge.runtimes());
  one.announce({ runtime_id: 'r1', url: 'https://a.example/3' });
  expect(remote.runtimes()).toEqual(bridge.runtimes());
});

test('sends a call and returns its progress and output', async () => {
  const { remote, runtime, connect } = farAgent();
  connect();
  const tab = runtime({ features: ['action_progress'] });
  const steps: unknown[] = [];
  const { call_id, output } = remote.call(
    { name: 'search', arguments: { q: 'lamp' } },
    { onProgress: ({ step }) => steps.push(step) },
  );
  expect(tab.calls()).toMatchObject([{ call_id, name: 'search', arguments: { q: 'lamp' } }]);
  tab.connection.receive({ type: 'action_progress', call_id, runtime_id: 'r1', step: 'type' });
  tab.answer(call_id, { found: 3 });
  expect(await output).toEqual({ found: 3 });
  expect(steps).toEqual(['type']);
});

test('[BRG-59] returns an error as the bridge made it', async () => {
  const { remote, connect } = farAgent();
  connect();
  const { output } = remote.call({ name: 'search', arguments: {} });
  await expect(output).rejects.toMatchObject({ name: 'BridgeError', code: 'runtime_not_found' });
});

test('[BRG-136] cancels a call here and at the runtime', async () => {
  const { remote, runtime, connect } = farAgent();
  connect();
  const tab = runtime({ features: ['action_cancel'] });
  const { call_id, output, cancel } = remote.call({ name: 'search', arguments: {} });
  cancel('no longer wanted');
  cancel();
  await expect(output).rejects.toMatchObject({ code: 'handler_failed', evidence: { cancelled: true } });
  expect(tab.got.filter(({ type }) => type === 'action_cancel')).toMatchObject([{ call_id }]);
});

test('[BRG-138] removes a runtime that left, once', () => {
  const { remote, events, runtime, connect } = farAgent();
  connect();
  runtime({}).connection.close();
  expect(remote.runtimes()).toEqual([]);
  expect(events.filter(({ kind }) => kind === 'gone')).toHaveLength(1);
});

test('passes unsolicited items to listeners, and drops a late answer', () => {
  const { events, runtime, connect } = farAgent();
  connect();
  const { connection } = runtime({});
  const sent = { type: 'dom_event', event_id: 'e1', runtime_id: 'r1', name: 'opened', payload: {} };
  const error = { code: 'drift_detected', message: 'Moved.' };
  connection.receive(sent);
  connection.receive({ type: 'action_error', runtime_id: 'r1', error });
  connection.receive({ type: 'action_error', runtime_id: 'r1', call_id: 'over', error });
  expect(events.flatMap((event) => (event.kind === 'item' ? event.item : []))).toMatchObject([
    sent,
    { type: 'action_error', runtime_id: 'r1', error },
  ]);
});

test('ends every call when the stream breaks, and lists runtimes again afterwards', async () => {
  const { remote, events, runtime, connect } = farAgent();
  const first = connect();
  const tab = runtime({ runtime_id: 'r1' });
  const { output } = remote.call({ name: 'search', arguments: {} });
  first.close();
  remote.lost(new BridgeError('transport_failed', 'The connection broke. Try again.'));
  await expect(output).rejects.toMatchObject({ code: 'transport_failed' });
  tab.connection.close();
  runtime({ runtime_id: 'r2' });
  connect();
  expect(remote.runtimes().map(({ runtime_id }) => runtime_id)).toEqual(['r2']);
  expect(events).toContainEqual({ kind: 'gone', runtime_id: 'r1', reason: expect.any(String) });
});

test('ends a call that cannot be sent with the reason', async () => {
  const remote = createRemoteBridge({
    newId: () => 'c1',
    send: () => {
      throw new BridgeError('transport_failed', 'The link is closed. Connect again.');
    },
  });
  await expect(remote.call({ name: 'search', arguments: {} }).output).rejects.toMatchObject({
    code: 'transport_failed',
  });
});
