import { createGate } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { callForText, connectClient, ERAS, lendTab, seen, startBridge } from '../test/mcp-harness.ts';

describe.each(ERAS)('over MCP %s', (era) => {
  test('forwards increasing progress to a client that asked for it', async () => {
    const bridge = startBridge();
    lendTab(bridge, {
      'actions.site': (_args, { progress }) => {
        progress({ step: 'fill', progress: 1, total: 3 });
        progress({ message: 'waiting' });
        progress({ step: 'fill', progress: 1, total: 3 });
        return 'done';
      },
    });
    const client = await connectClient(bridge, { era });
    const received: unknown[] = [];
    const all = createGate();
    const call = client.callTool(
      { name: 'site', arguments: { mode: 'call', action: 'order' } },
      {
        onprogress: (progress) => {
          received.push(progress);
          if (received.length === 3) all.open();
        },
      },
    );
    await call;
    await all.passed();
    expect(received).toEqual([
      { progress: 1, total: 3, message: 'fill' },
      { progress: 2, message: 'waiting' },
      { progress: 3, total: 3, message: 'fill' },
    ]);
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
    const client = await connectClient(bridge, { era });
    const leaving = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { for: 'stable' } }, { signal: leaving.signal });
    await began.reached;
    leaving.abort('changed my mind');
    await expect(call).rejects.toThrow();
    expect(await stopped).toBe('The client cancelled the call.');
    const { contents } = await client.readResource({ uri: 'drawbridge://traces' });
    expect(JSON.stringify(contents)).toMatch(/page\.wait r1 \d+ms cancelled/);
  });
});

test('starts no further step after a cancel', async () => {
  const bridge = startBridge();
  const began = createGate('open');
  const tab = lendTab(bridge, {
    'element.hover': async (_args, { cancelled }) => {
      await began.passed();
      return cancelled.then(() => null);
    },
  });
  const client = await connectClient(bridge);
  const leaving = new AbortController();
  const steps = ['1', '2', '3'].map((id) => ({ do: 'hover', id }));
  const call = client.callTool({ name: 'act', arguments: { steps } }, { signal: leaving.signal });
  await began.reached;
  leaving.abort();
  await expect(call).rejects.toThrow();
  lendTab(bridge, { 'page.snapshot': () => seen([]) }, { runtime_id: 'r2', url: 'https://other.example/' });
  await callForText(client, 'snapshot', { tab: 'other' });
  expect(tab.calls.map(({ arguments: args }) => args['id'])).toEqual(['1']);
});
