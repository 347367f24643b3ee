import type { ActionCall } from '@drawbridge/protocol';
import type { TestRelay } from '@drawbridge/relay/test/server/test-relay';
import { expect, test } from 'vitest';
import { activity, launch, message, send, startProxy, startProxyHarness } from './proxy-harness.ts';

/** A tab that answers every call with the same text. */
function lendTab(relay: TestRelay): readonly ActionCall[] {
  const calls: ActionCall[] = [];
  const runtime_id = 'tab_1';
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
  return calls;
}

test.each(['http', 'stdio'] as const)(
  '[CHT-329] [CHT-331] an agent launched with the browser reads a lent tab by %s, in its own conversation, also after a restart',
  async (kind) => {
    const harness = await startProxyHarness(kind === 'http' ? { agent: { fault: 'http' } } : {});
    const { person, relay, device, folder, agent, close } = harness;
    const calls = lendTab(relay);
    const session_id = await launch(person, { browser: true });
    send(person, session_id, 'say I look; tool read');
    await message(person, (content) => content === 'Looked at the page on shop.example.');
    const answer = await message(person, (content) => content.startsWith(`by ${kind}:`));
    expect(answer.content).toContain('The lamp is 49 €.');
    await activity(person, 'idle');
    await close();
    await startProxy({ relay, device, folder, agent });
    send(person, session_id, 'tool read');
    await message(person, (content) => content.includes('The lamp is 49 €.'));
    expect(calls).toHaveLength(2);
    person.send({ type: 'history_request', session_id });
    const { messages } = await person.next('history_snapshot');
    const words = messages.flatMap(({ role, content, metadata }) =>
      JSON.stringify(metadata ?? {}).includes('tool_call') ? [] : `${role}: ${content.slice(0, 20)}`,
    );
    expect(words).toEqual([
      'user: say I look; tool rea',
      'assistant: I look',
      'system: Looked at the page o',
      expect.stringContaining(`assistant: by ${kind}`),
      'user: tool read',
      'system: Looked at the page o',
      expect.stringContaining(`assistant: by ${kind}`),
    ]);
  },
);

test('[CHT-329] an agent launched without the browser gets no server', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  send(person, session_id, 'tool read');
  await message(person, (content) => content === 'no server');
});
