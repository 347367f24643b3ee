import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { callForText, ERAS, startBridge } from '../test/mcp-harness.ts';
import { serveStdio } from './stdio.ts';

test.each(ERAS)('serves %s on stdin and stdout of a process, and ends with them', async (era) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../test/stdio-server.ts', import.meta.url))],
  });
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  onTestFinished(() => client.close());
  await client.connect(transport);
  expect((await client.listTools()).tools).toHaveLength(8);
  expect((await callForText(client, 'tabs', { do: 'list' })).text).toMatch(/^No tab is lent/);
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});

test('resolves `closed` when the client is gone', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const { closed, close } = serveStdio({ bridge: startBridge() }, { transport: ours });
  const client = new Client({ name: 'test-client', version: '1.0.0' });
  await client.connect(theirs);
  await client.close();
  await closed;
  await close();
});
