import { expect, test } from 'vitest';
import { call, startProxy } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { click, scriptedBrain, startTaskRelay } from '../../../test/tasks/relay-tasks.ts';

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const choices = [
  { choice_id: 'once', label: 'Allow once', is_default: false, effect: 'allow' },
  { choice_id: 'deny', label: 'Deny', is_default: true, effect: 'deny' },
];

test('the audit has decisions, launches, stops, ends and tasks, in words, without secrets', async () => {
  const relay = await startTaskRelay(scriptedBrain(click));
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one');
  const session_id = 'one';
  const device_id = screen.device?.device_id;
  const confirm = (command: string, request_id: string) =>
    proxy.send({ type: 'agent_control_result', session_id, command, request_id, result: 'ok' });
  const ask = (prompt_id: string, prompt_text: string, more: object = {}) =>
    proxy.send({ type: 'permission_prompt', session_id, prompt_id, prompt_text, choices, ...more });

  ask('p1', `Press “Pay”, key ${SECRET}\nWhere: https://shop.example\nAsked by: Claude Code`);
  await screen.next('permission_prompt');
  const answer = { session_id, prompt_id: 'p1', choice_id: 'once', request_id: 'r1' };
  screen.send({ type: 'permission_response', ...answer });
  confirm('permission_response', (await proxy.next('permission_response')).request_id ?? '');
  await screen.next('agent_control_result');

  ask('p2', 'Delete it?', { timeout_ms: 1, default_choice: 'deny' });
  await screen.next('permission_prompt_expired');
  // Withdrawn: there is nothing left to decide, and no entry.
  ask('p3', 'Never mind?');
  proxy.send({ type: 'permission_prompt_withdrawn', session_id, prompt_id: 'p3' });
  await screen.next('permission_prompt_expired');

  const launch = { agent_type: 'codex', workspace_path: '/home/me/shop' };
  screen.send({ type: 'launch_session', request_id: 'l1', ...launch });
  await proxy.next('launch_session');
  proxy.send({ type: 'session_launch_ack', request_id: 'l1', session_id: 'two' });
  await screen.next('session_launch_ack');
  screen.send({ type: 'launch_session', request_id: 'l2', ...launch });
  await proxy.next('launch_session');
  const failed = { request_id: 'l2', error_code: 'not_found', reason: 'codex is not installed.' };
  proxy.send({ type: 'session_launch_failed', ...failed });
  await screen.next('session_launch_failed');

  for (const [request_id, result] of [
    ['s1', { result: 'ok' }],
    ['s2', { result: 'failed', error_code: 'agent_not_active' }],
    ['s3', { result: 'failed', error: { code: 'control_failed', message: 'It did not answer.' } }],
  ] as const) {
    screen.send({ type: 'agent_interrupt', session_id, request_id });
    await proxy.next('agent_interrupt');
    proxy.send({
      type: 'agent_control_result',
      session_id,
      command: 'agent_interrupt',
      request_id,
      ...result,
    });
    await screen.next('agent_control_result');
  }
  screen.send({ type: 'close_session', session_id, request_id: 'c1' });
  await proxy.next('close_session');
  proxy.send({ type: 'session_closed', session_id });
  await screen.next('session_closed');

  const body = { prompt: `Buy tea with ${SECRET}` };
  const { task_id, session_id: taskSession } = (await call(relay, owner, 'POST /api/tasks', { body })).body;
  await call(relay, owner, `DELETE /api/tasks/${task_id}`);

  const { audit } = (await call(relay, owner, 'GET /api/audit')).body;
  const entries: readonly { readonly action: string }[] = audit.toReversed();
  const task = { device_id: owner.device_id, subject: taskSession };
  const text = expect.stringMatching(/^Buy tea with (?!sk-)/);
  const machine = { agent: 'codex', folder: '/home/me/shop', proxy_device_id: proxy.device?.device_id };
  const asked = expect.stringMatching(/^Press “Pay”, key (?!sk-)/);
  expect(entries.filter(({ action }) => action !== 'device_added')).toMatchObject([
    {
      ...{ action: 'decision_made', device_id, subject: 'one' },
      detail: { agent: 'Agent one', asked, choice: 'Allow once' },
    },
    {
      ...{ action: 'decision_expired', device_id: null, subject: 'one' },
      detail: { agent: 'Agent one', asked: 'Delete it?', choice: 'Deny' },
    },
    { action: 'agent_launched', device_id, subject: 'two', detail: machine },
    { action: 'launch_failed', device_id, detail: { ...machine, problem: 'codex is not installed.' } },
    { action: 'agent_stopped', device_id, subject: 'one', detail: { agent: 'Agent one' } },
    { action: 'agent_stopped', device_id, subject: 'one', detail: { problem: 'It did not answer.' } },
    { action: 'agent_ended', device_id, subject: 'one', detail: { agent: 'Agent one' } },
    { ...task, action: 'task_started', detail: { task_id, text } },
    { ...task, action: 'task_ended', detail: { task_id, text, state: 'cancelled' } },
  ]);
  expect(JSON.stringify(audit)).not.toContain(SECRET);
});
