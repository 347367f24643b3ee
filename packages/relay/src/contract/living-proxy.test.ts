import { expect, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import { answerOf, deliveredOf, historyOf, sendOf } from '../../test/contract/frames.ts';
import * as living from '../../test/contract/living-proxy.ts';

const harness = useRelay();

async function livingProxy() {
  const session_id = fresh('session');
  const person = await harness.connect('person');
  const proxy = await harness.connect('proxy');
  proxy.send(living.livingSnapshot(living.livingSession(session_id)));
  const up = await person.next('session_up', { session: { session_id } });
  return { session_id, person, proxy, up };
}

test('[CHT-309] [CHT-372] null for what a proxy does not know loses no session, status or end', async () => {
  const { session_id, person, proxy, up } = await livingProxy();
  expect(up.session).toMatchObject({
    ...{ agent_type: 'unknown', agent_type_name: 'claude_cli', display_name: 'Claude Code CLI' },
    virtual_id: null,
  });
  for (const name of ['workspace_path', 'target_id']) expect(up.session).not.toHaveProperty(name);
  proxy.send({ type: 'heartbeat', request_id: 'h1', connection_id: null });
  expect(await proxy.next('heartbeat_ack')).toMatchObject({ request_id: 'h1' });
  proxy.send(living.livingStatus(session_id, { kind: 'working', label: 'Tests', thinking: null }));
  await person.next('session_status', { session_id, activity: { kind_name: 'working' } });
  proxy.send(living.livingStatus(session_id, null));
  proxy.send(living.livingChats(session_id));
  proxy.send(living.livingClose(session_id));
  expect(await person.next('session_closed', { session_id })).toMatchObject({ reason_name: 'target_gone' });
  expect(proxy.all('connection_error')).toEqual([]);
});

test('[CHT-373] models with labels are offered by their ids', async () => {
  const { session_id, person, proxy } = await livingProxy();
  proxy.send(living.livingConfig(session_id));
  const config = await person.next('agent_config', { session_id });
  expect(config).toMatchObject({
    ...{ model_id: 'sonnet', available_models: ['sonnet', 'opus'], available_modes: [] },
    ...{ permission_mode_name: 'acceptEdits', file_access_scope_name: '/home/ada/shop' },
  });
  expect(proxy.all('connection_error')).toEqual([]);
});

test('[CHT-374] a question with its text in message is asked, answered, and gone when it is dismissed there', async () => {
  const { session_id, person, proxy } = await livingProxy();
  proxy.send(living.livingPrompt(session_id, 'p1'));
  expect(await person.next('permission_prompt', { prompt_id: 'p1' })).toMatchObject({
    prompt_text: 'Run npm test?',
    choices: [
      { choice_id: 'allow', is_default: false },
      { choice_id: 'deny', is_default: false },
    ],
  });
  person.send(answerOf(session_id, 'p1', { choice_id: 'allow' }));
  expect(await proxy.next('permission_response')).toMatchObject({ prompt_id: 'p1', choice_id: 'allow' });
  proxy.send(living.livingPrompt(session_id, 'p2'));
  await person.next('permission_prompt', { prompt_id: 'p2' });
  proxy.send(living.livingPromptEnd(session_id, 'p2'));
  await person.next('permission_prompt_expired', { prompt_id: 'p2' });
  const later = await harness.connect('person');
  const open = later.all('connection_ack').flatMap(({ open_prompts = [] }) => open_prompts);
  expect(open.filter((prompt) => prompt.session_id === session_id)).toEqual([]);
});

test('[CHT-375] a conversation without ids is stored once, and later messages are added', async () => {
  const { session_id, person, proxy } = await livingProxy();
  const first = [
    ['user', 'Run the tests.'],
    ['assistant', 'All pass.'],
  ] as const;
  for (const _ of [1, 2]) proxy.send(living.livingHistory(session_id, ...first));
  proxy.send(living.livingMessage(session_id, 'assistant', 'Anything else?'));
  proxy.send(living.livingHistory(session_id, ...first, ['assistant', 'Anything else?']));
  await proxy.settled();
  person.send(sendOf(session_id, 'c1', { content: 'Commit it.' }));
  await proxy.next('send_message');
  proxy.send(deliveredOf(session_id, 'c1'));
  await person.next('message_delivered');
  // The proxy was away: the answer came then.
  await harness.restart();
  const back = await harness.comeBack({ session_id, person, proxy });
  const said = [
    ...first,
    ['assistant', 'Anything else?'],
    ['user', 'Commit it.'],
    ['assistant', 'Done.'],
  ] as const;
  back.send(living.livingHistory(session_id, ...said));
  back.send(living.livingHistory(session_id, ...said));
  await back.settled();
  const reader = await harness.connect('person');
  reader.send(historyOf(session_id));
  const { messages } = await reader.next('history_snapshot');
  expect(messages.map(({ role, content }) => [role, content])).toEqual(said);
  expect(new Set(messages.map(({ message_id }) => message_id)).size).toBe(said.length);
  expect(messages.every(({ created_at }) => Date.parse(created_at) > 0)).toBe(true);
  // A snapshot without any stored message adds none.
  back.send(living.livingHistory(session_id, ['user', 'Hello?'], ['assistant', 'Yes?']));
  await back.settled();
  reader.send(historyOf(session_id));
  expect((await reader.next('history_snapshot')).messages).toHaveLength(said.length);
});
