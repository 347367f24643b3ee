import { expect, test } from 'vitest';
import { lendTab, pictureOf, watch } from '../../../test/server/runtimes/watched-tab.ts';
import { startTestRelay } from '../../../test/server/test-relay.ts';

test('a person sees the tab as it changes, and no frames while it stands still', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const tab = lendTab(relay, 'tab');
  const view = await watch(relay, person, 'tab');
  const place = { url: 'https://shop.example/', title: 'Shop', at: expect.any(Number) };
  expect(await view.next()).toEqual({ event: 'frame', data: { ...pictureOf('first'), ...place } });
  expect(tab.calls[0]).toMatchObject({
    ...{ name: 'browser.screenshot', runtime_id: 'tab' },
    arguments: { format: 'jpeg', max_width: 640 },
  });
  // A second look with the same result.
  await expect.poll(() => tab.calls.length, { timeout: 20_000 }).toBeGreaterThan(1);
  const second = await watch(relay, person, 'tab');
  expect(await second.next()).toMatchObject({ data: pictureOf('first') });
  tab.show('second');
  expect(await view.next()).toMatchObject({ event: 'frame', data: pictureOf('second') });
  expect(await second.next()).toMatchObject({ event: 'frame', data: pictureOf('second') });
  expect((await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0]).toMatchObject({
    ...{ action: 'tab_watched', subject: 'tab', device_id: person.device_id },
  });
  tab.close();
  expect(await view.next()).toMatchObject({ event: 'end', data: { reason: 'gone' } });
  expect(await view.next()).toBeUndefined();
});

test('reports a view that the tab refuses or does not support, and asks no more', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const tab = lendTab(relay, 'tab');
  for (const [code, reason] of [
    ['permission_denied', 'denied'],
    ['capability_unavailable', 'unsupported'],
  ] as const) {
    const asked = tab.calls.length;
    tab.answerWith({ error: { code, message: 'A person refused it.' } });
    const view = await watch(relay, person, 'tab');
    const data = { reason, code, message: 'A person refused it.' };
    expect(await view.next()).toEqual({ event: 'end', data });
    expect(await view.next()).toBeUndefined();
    expect(tab.calls).toHaveLength(asked + 1);
  }
});

test('reports a failed picture once, and shows the next one', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const tab = lendTab(relay, 'tab', { runtime_key: 'key' });
  tab.answerWith({ output: { ...pictureOf('x'), image: '<svg onload=alert(1)>' } });
  const view = await watch(relay, person, 'tab');
  expect(await view.next()).toMatchObject({ event: 'trouble', data: { code: 'handler_failed' } });
  tab.close();
  // Another page in the same tab.
  lendTab(relay, 'tab_after', { runtime_key: 'key' }).show('after');
  expect(await view.next()).toMatchObject({ event: 'frame', data: pictureOf('after') });
});

test('takes no pictures of an unwatched tab, and a stopping relay waits for no watcher', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const held: unknown[] = [];
  const tab = relay.bridge.connectRuntime({ send: (item) => held.push(item) });
  const features = ['action_cancel'];
  tab.receive({ type: 'runtime_ready', runtime_id: 'tab', url: 'https://shop.example/', features });
  const view = await watch(relay, person, 'tab');
  await expect.poll(() => held, { timeout: 20_000 }).toMatchObject([{ type: 'action_call' }]);
  view.leave();
  await expect
    .poll(() => held, { timeout: 20_000 })
    .toMatchObject([{ type: 'action_call' }, { type: 'action_cancel' }]);

  lendTab(relay, 'other');
  const last = await watch(relay, person, 'other');
  await last.next();
  await relay.close();
  expect(await last.next()).toMatchObject({ event: 'end', data: { reason: 'stopping' } });
});

test('only people who are no guests watch, and only connected tabs', async () => {
  const relay = await startTestRelay();
  lendTab(relay, 'tab');
  const guest = await relay.mint('person', ['session:one']);
  expect((await watch(relay, guest, 'tab')).status).toBe(403);
  expect((await watch(relay, await relay.mint('agent'), 'tab')).status).toBe(403);
  expect((await watch(relay, await relay.mint('person'), 'elsewhere')).status).toBe(404);
});
