import { createGate } from '@drawbridge/testbed';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { McpOptions } from './door.ts';
import { ERAS, type Era, LAMP, lendTab, say, seen, startBridge } from './ground.suite.ts';
import { createMcpHandler } from './http.ts';

async function connect(era: Era, options: McpOptions): Promise<Client> {
  const handler = createMcpHandler(options);
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://relay.example/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  );
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return client;
}

describe.each(ERAS)('over HTTP, MCP %s', (era) => {
  test('each request has a server of its own, and all share what is kept', async () => {
    const bridge = startBridge();
    lendTab(bridge, { 'page.snapshot': () => seen([LAMP]), 'actions.site': () => 'word '.repeat(5000) });
    const client = await connect(era, { bridge, maxTokens: 500 });
    expect((await client.listTools()).tools).toHaveLength(7);
    expect((await say(client, 'snapshot')).text).toContain('12 link Dusk table lamp');
    const { text } = await say(client, 'site', { mode: 'state_read' });
    const output = /"output":"(\w+)"/.exec(text)?.[1];
    expect((await say(client, 'read', { output, from: 24_990 })).text).toContain('word');
  });
});

test('a client that listens hears of tabs that come', async () => {
  const bridge = startBridge();
  const client = await connect('2026-07-28', { bridge });
  const heard = createGate();
  client.setNotificationHandler('notifications/resources/updated', () => heard.open());
  await client.listen({ resourceSubscriptions: ['drawbridge://runtimes'] });
  lendTab(bridge);
  await heard.passed();
  const { contents } = await client.readResource({ uri: 'drawbridge://runtimes' });
  expect(JSON.stringify(contents)).toContain('shop.example');
});
