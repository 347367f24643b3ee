import type { ActionCall } from '@drawbridge/protocol';
import { startRelay } from '@drawbridge/relay';
import { DEFAULT_TIMEOUT_MS } from '@drawbridge/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { connectMcp } from '../../test/mcp/mcp-client.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { createLocalAgents } from '../relay/local-agents.ts';

test('joins a relay with a self-signed certificate, and gives people time to answer', async () => {
  const data = temporaryFolder();
  const relay = await startRelay({ data, port: 0, tls: 'self-signed' });
  onTestFinished(relay.close);
  const agents = createLocalAgents(await openDataFolder(data));
  onTestFinished(agents.close);
  await agents.letIn(relay);
  const runtime_id = 'tab_1';
  const calls: ActionCall[] = [];
  const tab = relay.bridge.connectRuntime({
    send(item) {
      if (item.type !== 'action_call') return;
      calls.push(item);
      const output = { text: 'The lamp is 49 €.' };
      tab.receive({ type: 'action_call_output', call_id: item.call_id, runtime_id, output });
    },
  });
  const url = 'https://shop.example/lamps';
  tab.receive({ type: 'runtime_ready', runtime_id, url, capabilities: ['page.read'] });
  const { say } = await connectMcp(['--data', data]);
  expect(await say('read')).toContain('The lamp is 49 €.');
  const [{ timeout_ms } = {}] = calls;
  expect(timeout_ms).toBeGreaterThan(DEFAULT_TIMEOUT_MS);
});
