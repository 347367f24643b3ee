import { type OpenPage, openPage, startFaultProxy } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelRelay } from '../../test/chat/model-relay.ts';
import { serveModel } from '../../test/chat/model-server.ts';
import { servePageModules } from '../../test/page-modules.ts';
import type { ChatLink } from './chat-link.ts';
import type * as chatModule from './index.ts';

let opened: OpenPage;
let modules: Awaited<ReturnType<typeof servePageModules>>;

beforeAll(async () => {
  [opened, modules] = await Promise.all([openPage(), servePageModules()]);
});

afterAll(async () => {
  await opened.close();
  modules.close();
});

declare global {
  var chat: typeof chatModule;
  var live: ChatLink;
}

test("[CHT-135] resends a page's unanswered message from the next page with the same id", async () => {
  const { page } = opened;
  await page.goto(modules.origin);
  const id = await page.evaluate(async () => {
    const outbox = chat.indexedDbOutbox('reload');
    const link = chat.connectChat({
      url: 'ws://127.0.0.1:9/',
      peer_role: 'browser',
      client_name: 'test',
      outbox,
    });
    const { client_message_id } = link.sendMessage({ session_id: 's', content: 'Hello' });
    while ((await outbox.load()).length === 0) await new Promise(requestAnimationFrame);
    return client_message_id;
  });
  await page.reload();
  const relay = new ModelRelay();
  await using server = await serveModel(relay);
  const left = await page.evaluate(async (url) => {
    const outbox = chat.indexedDbOutbox('reload');
    const link = chat.connectChat({ url, peer_role: 'browser', client_name: 'test', outbox });
    await new Promise<void>((resolve) => {
      link.onEvent(({ type }) => type === 'message_delivered' && resolve());
    });
    const pending = link.pending.length;
    while ((await outbox.load()).length > 0) await new Promise(requestAnimationFrame);
    link.close();
    return pending;
  }, server.url);
  expect(left).toBe(0);
  expect(relay.log('s')).toMatchObject([
    { type: 'message_accepted', client_message_id: id },
    { type: 'message_delivered', client_message_id: id },
  ]);
});

test('keeps order, skips invalid messages, and reopens after the database was closed', async () => {
  const { page } = opened;
  await page.goto(modules.origin);
  const kept = await page.evaluate(async () => {
    const outbox = chat.indexedDbOutbox('order');
    const message = (client_message_id: string) =>
      ({
        type: 'send_message',
        protocol_version: 1,
        client_message_id,
        session_id: 's',
        created_at: '2026-03-19T10:15:30.000Z',
        content: client_message_id,
      }) as const;
    for (const id of ['2', '3', '1']) await outbox.put(message(id));
    await outbox.put({ ...message('0'), content: '' });
    await outbox.remove('3');
    await outbox.remove('no such');
    const ids = async () => (await outbox.load()).map(({ client_message_id }) => client_message_id);
    const before = await ids();
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase('order');
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
    await outbox.put(message('4'));
    return { before, after: await ids() };
  });
  expect(kept).toEqual({ before: ['1', '2'], after: ['4'] });
});

test('probes the link when the page comes online, is shown or is restored', async () => {
  const { page } = opened;
  await page.goto(modules.origin);
  const relay = new ModelRelay();
  await using server = await serveModel(relay);
  await using proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: server.port }, seed: 1 });
  proxy.setFaults({ up: { cutAfterBytes: { min: 0, max: 0 } } });
  const attempts = await page.evaluate(async (url) => {
    globalThis.live = chat.connectChat({
      url,
      peer_role: 'browser',
      client_name: 'test',
      backoff: { minMs: 3_600_000, maxMs: 3_600_000 },
    });
    const failed = () =>
      new Promise<number>((resolve) => {
        let attempt = 0;
        const stop = live.onState((state) => {
          if (state.kind === 'connecting') attempt = state.attempt;
          if (state.kind !== 'waiting') return;
          stop();
          resolve(attempt);
        });
      });
    const seen = [await failed()];
    for (const [target, name] of [
      [globalThis, 'online'],
      [globalThis, 'pageshow'],
      [document, 'visibilitychange'],
    ] as const) {
      const next = failed();
      target.dispatchEvent(new Event(name));
      seen.push(await next);
    }
    return seen;
  }, `ws://127.0.0.1:${proxy.port}/ws/chat`);
  expect(attempts).toEqual([1, 2, 3, 4]);
  proxy.setFaults({});
  const state = await page.evaluate(async () => {
    const open = new Promise<string>((resolve) => {
      live.onState(({ kind }) => kind === 'open' && resolve(kind));
    });
    globalThis.dispatchEvent(new Event('online'));
    const kind = await open;
    live.close();
    return kind;
  });
  expect(state).toBe('open');
});
