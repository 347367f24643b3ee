import { expect, test } from 'vitest';
import { callForText, connectClient, lendTab, startBridge } from '../../test/mcp-harness.ts';

test('writes messages, requests, a body and stored names as lines of the page', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'inspect.messages': () => ({
      messages: [{ level: 'error', text: 'No lamp', at: '2026-11-18T12:03:01.000Z', source: 'app.js:3' }],
      omitted: 4,
    }),
    'inspect.requests': () => ({
      requests: [
        {
          request_id: 'r1',
          method: 'GET',
          url: 'https://shop.example/a',
          type: 'fetch',
          status: 200,
          ms: 12,
        },
        { request_id: 'r2', method: 'POST', url: 'https://shop.example/b', type: 'xhr', failure: 'blocked' },
      ],
      omitted: 0,
    }),
    'inspect.body': () => ({ request_id: 'r1', mime_type: 'text/plain', body: 'hi', length: 2 }),
    'inspect.storage': () => ({
      cookies: [{ name: 'sid', http_only: true, secure: true, same_site: 'Lax' }],
      local: [{ name: 'cart', length: 3, value: 'two' }],
      session: [],
      unseen: 'flags',
    }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const show = async (args: object) => (await callForText(client, 'inspect', { ...args })).text;
  const console = await show({ show: 'console', query: 'lamp' });
  expect(console).toContain('12:03:01 error No lamp (app.js:3)');
  expect(console).toContain('4 older ones are left out');
  expect(tab.calls.at(-1)).toMatchObject({ name: 'inspect.messages', arguments: { query: 'lamp' } });
  expect(await show({ show: 'requests' })).toContain(
    'r1 GET 200 fetch 12ms https://shop.example/a\nr2 POST blocked xhr https://shop.example/b',
  );
  expect(await show({ show: 'body' })).toContain('body needs `id`');
  expect(await show({ show: 'body', id: 'r1' })).toBe('<page https://shop.example mark>\nhi\n</page mark>');
  expect(await show({ show: 'storage', keys: ['cart'] })).toContain(
    'cookie sid HttpOnly Secure Lax\nlocal cart 3 characters = two\nnot seen: flags',
  );
  expect(await show({ show: 'everything' })).toContain('invalid_input');
});
