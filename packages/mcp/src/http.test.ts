import { createGate } from '@drawbridge/testbed';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callForText, ERAS, type Era, LAMP, lendTab, seen, startBridge } from '../test/mcp-harness.ts';
import { createApprovals } from './approval/approvals.ts';
import type { HttpServingOptions } from './http/http-serving.ts';
import { createMcpHandler } from './http.ts';
import type { McpOptions } from './mcp-connection.ts';

const URL_OF_MCP = new URL('http://relay.example/mcp');

function startHandler(options: McpOptions, serving?: HttpServingOptions) {
  const handler = createMcpHandler(options, serving);
  onTestFinished(handler.close);
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  return { handler, fetch };
}

async function join(
  fetch: ReturnType<typeof startHandler>['fetch'],
  era: Era = '2025-11-25',
  options: ClientOptions = {},
) {
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } } },
  );
  const transport = new StreamableHTTPClientTransport(URL_OF_MCP, { fetch });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

const post = (fields: Record<string, string>, message: object): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    ...fields,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
});
const toolCall = (name: string, args: object) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

describe.each(ERAS)('over HTTP, MCP %s', (era) => {
  test('shares stored outputs between requests', async () => {
    const bridge = startBridge();
    lendTab(bridge, { 'page.snapshot': () => seen([LAMP]), 'actions.site': () => 'word '.repeat(5000) });
    const { client } = await join(startHandler({ bridge, maxTokens: 500 }).fetch, era);
    expect((await client.listTools()).tools).toHaveLength(8);
    expect((await callForText(client, 'snapshot')).text).toContain('12 link Dusk table lamp');
    const { text } = await callForText(client, 'site', { mode: 'state_read' });
    const output = /"output":"(\w+)"/.exec(text)?.[1];
    expect((await callForText(client, 'read', { output, from: 24_990 })).text).toContain('word');
  });

  test('notifies a listening client of new tabs', async () => {
    const bridge = startBridge();
    const { client } = await join(startHandler({ bridge }).fetch, era);
    const received = createGate();
    client.setNotificationHandler('notifications/resources/updated', () => received.open());
    const uri = 'drawbridge://runtimes';
    if (era === '2025-11-25') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    lendTab(bridge);
    await received.passed();
    expect(JSON.stringify((await client.readResource({ uri })).contents)).toContain('shop.example');
  });

  test('stops the runtime when a client cancels', async () => {
    const bridge = startBridge();
    const began = createGate('open');
    let stopped: Promise<string | undefined> = Promise.resolve('never began');
    lendTab(bridge, {
      'page.wait': async (_args, { cancelled }) => {
        stopped = cancelled;
        await began.passed();
        return new Promise(() => {});
      },
    });
    const { client } = await join(startHandler({ bridge }).fetch, era);
    const leaving = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { for: 'stable' } }, { signal: leaving.signal });
    await began.reached;
    leaving.abort('changed my mind');
    await expect(call).rejects.toThrow();
    expect(await stopped).toBe('The client cancelled the call.');
  });
});

test('[BRG-128] asks a client with a session while its call waits', async () => {
  const bridge = startBridge();
  const approvals = createApprovals();
  const tab = lendTab(bridge, {
    'browser.close_tab': () =>
      approvals.asker.ask(
        {
          ...{
            question_id: 'q1',
            runtime_id: 'r1',
            origin: 'https://shop.example',
            name: 'browser.close_tab',
          },
          ...{ effect: 'irreversible', sentence: 'Close the tab', data: [], call_hash: 'hash' },
          ...{ call_id: tab.calls.at(-1)?.call_id ?? '', expires_at: Date.now() + 60_000 },
        },
        new AbortController().signal,
      ),
  });
  const { client } = await join(startHandler({ bridge, approvals }).fetch, '2025-11-25', {
    capabilities: { elicitation: { form: {} } },
  });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { decision: 'once' } };
  });
  expect((await callForText(client, 'tabs', { do: 'close' })).isError).toBe(false);
  expect(asked).toEqual([expect.stringContaining('Close the tab')]);
});

test('redelivers an answer lost with its connection', async () => {
  const bridge = startBridge();
  const done = createGate();
  lendTab(bridge, {
    'page.read': async () => {
      await done.passed();
      return { text: 'The lamp is 49 €.' };
    },
  });
  const { fetch } = startHandler({ bridge });
  const { transport } = await join(fetch);
  const session = { 'mcp-session-id': transport.sessionId ?? '' };
  const lost = (await fetch(URL_OF_MCP, post(session, toolCall('read', {})))).body?.getReader();
  const opening = new TextDecoder().decode((await lost?.read())?.value);
  const [, id = ''] = /^id: (\d+)\nretry: 1000\ndata: \n/.exec(opening) ?? [];
  await lost?.cancel();
  done.open();
  const resumed = await fetch(URL_OF_MCP, {
    headers: { ...session, accept: 'text/event-stream', 'last-event-id': id },
  });
  expect(await resumed.text()).toContain('The lamp is 49 €.');
});

test('reports an ended or evicted session as not found, and serves a client without one', async () => {
  const { fetch } = startHandler({ bridge: startBridge() }, { maxSessions: 2 });
  const statusOf = async ({ sessionId = '' }: { sessionId?: string | undefined }) => {
    const response = await fetch(URL_OF_MCP, post({ 'mcp-session-id': sessionId }, { method: 'tools/list' }));
    await response.body?.cancel();
    return response.status;
  };
  const [first, second] = [await join(fetch), await join(fetch)];
  expect(await statusOf(first.transport)).toBe(200);
  const third = await join(fetch);
  expect(await statusOf(second.transport)).toBe(404);
  expect(await statusOf(first.transport)).toBe(200);
  const { sessionId } = third.transport;
  await third.transport.terminateSession();
  expect(await statusOf({ sessionId })).toBe(404);
  const alone = await fetch(URL_OF_MCP, post({}, { method: 'tools/list' }));
  expect(await alone.text()).toContain('"snapshot"');
});

test('leaves no session after an invalid first request', async () => {
  const { fetch } = startHandler({ bridge: startBridge() });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const refused = await fetch(
    URL_OF_MCP,
    post({ accept: 'application/json' }, { method: 'initialize', params }),
  );
  expect([refused.status, refused.headers.get('mcp-session-id')]).toEqual([406, null]);
});

test('an id of more than 256 characters is refused, in a batch and in a session too', async () => {
  const { fetch } = startHandler({ bridge: startBridge() });
  const { transport } = await join(fetch);
  const long = { jsonrpc: '2.0', id: 'x'.repeat(257), method: 'ping' };
  const bodies = [long, [{ jsonrpc: '2.0', id: 1, method: 'ping' }, long]];
  for (const body of bodies) {
    for (const session of [{}, { 'mcp-session-id': transport.sessionId ?? '' }]) {
      const answer = await fetch(URL_OF_MCP, { ...post(session, {}), body: JSON.stringify(body) });
      expect(answer.status).toBe(400);
      const { error } = await answer.json();
      expect(error).toMatchObject({ code: -32600, message: expect.stringContaining('256 characters') });
    }
  }
});
