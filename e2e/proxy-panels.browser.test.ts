import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { AgentProxy, openStateFile, openWorkspaces } from '@drawbridge/proxy';
import { setUpPanels } from '@drawbridge/proxy/test/cdp/panel-harness';
import {
  startTestRelay,
  type TestPeer,
  type TestRelay,
  temporaryFolder,
} from '@drawbridge/relay/test/server/test-relay';
import { expect, onTestFinished, test } from 'vitest';
import { activity, command, message, send } from './proxy-harness.ts';

const { open, adapter, running, log } = setUpPanels();

async function startProxy(relay: TestRelay, token: string, folder: string) {
  const panels = await adapter('claude');
  const state = openStateFile(join(folder, 'proxy.db'), Date.now);
  const proxy = await AgentProxy.start({
    ...systemClock,
    newId: randomUUID,
    url: relay.url,
    token,
    machine_label: 'studio',
    adapters: [panels],
    workspaces: openWorkspaces([folder]),
    state,
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= proxy.close().then(() => state.close());
    return closing;
  };
  onTestFinished(close);
  return { close };
}

async function health(person: TestPeer, status: string): Promise<void> {
  for (;;) if ((await person.next('session_status')).status === status) return;
}

test('[CHT-148] [CHT-233] [CHT-240] [CHT-283] [CHT-124] [CHT-115] a chat panel is controlled remotely: ticks, a permission, a stop, a mode, a restart, and drift', async () => {
  const folder = await temporaryFolder();
  const relay = await startTestRelay();
  const person = await relay.connect('person');
  const { token } = await relay.mint('proxy');
  const page = await open('claude', { id: 'afar' });
  const first = await startProxy(relay, token, folder);
  const { session } = await person.next('session_up');
  const { session_id } = session;
  expect(session).toMatchObject({ agent_type: 'claude', display_name: 'Claude Code', status: 'healthy' });

  const client_message_id = send(person, session_id, 'say one two');
  expect(await person.next('message_accepted')).toMatchObject({ client_message_id });
  expect(await person.next('message_delivered')).toMatchObject({ client_message_id });
  await message(person, (content) => content === 'one two');

  send(person, session_id, 'ask permission');
  const { prompt_id, prompt_text, default_choice } = await person.next('permission_prompt');
  expect({ prompt_text, default_choice }).toEqual({
    prompt_text: 'Allow this bash command?\nrm -r build',
    default_choice: 'no',
  });
  const answer = { type: 'permission_response', session_id, prompt_id, choice_id: 'yes' };
  expect(await command(person, answer)).toMatchObject({ command: 'permission_response', result: 'ok' });
  await message(person, (content) => content === 'removed by 1');

  send(person, session_id, 'slow');
  await activity(person, 'running_command');
  expect(await command(person, { type: 'agent_interrupt', session_id })).toMatchObject({ result: 'ok' });

  expect(await command(person, { type: 'agent_set_mode', session_id, mode_id: 'plan' })).toMatchObject({
    command: 'agent_set_mode',
    result: 'ok',
  });
  expect(await command(person, { type: 'agent_set_mode', session_id, mode_id: 'yolo' })).toMatchObject({
    result: 'failed',
    error_code: 'mode_not_available',
  });

  await first.close();
  expect(await person.next('session_down')).toMatchObject({ session_id });
  await startProxy(relay, token, folder);
  const again = send(person, session_id, 'say three');
  for (let delivered = ''; delivered !== again; )
    delivered = (await person.next('message_delivered')).client_message_id;
  await message(person, (content) => content === 'three');

  // The editor updates its extension: the input has changed.
  await page.goto(running().twins.webview('claude', { id: 'afar', drift: 3 }));
  await health(person, 'agent_ui_changed');
  expect((await message(person, (content) => content.includes('composer_there'))).role).toBe('system');
  send(person, session_id, 'say four');
  expect(await person.next('message_failed')).toMatchObject({ error: { code: 'selector_failure' } });
  expect(log('afar')).toEqual(
    ['say one two', 'ask permission', 'slow', 'say three'].map((text) => ({ kind: 'sent', text })),
  );
  person.send({ type: 'history_request', session_id });
  const { messages } = await person.next('history_snapshot');
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'say one two',
    'ask permission',
    'slow',
    'say three',
    'say four',
  ]);
});
