import { expect, test } from 'vitest';
import { logged, startHarness, subscribe } from '../../test/notifications/notifications-harness.ts';
import { startPostServer } from '../../test/notifications/push-service.ts';
import { coreClock } from '../../test/server/test-relay.ts';
import { call, scriptedBrain, startTaskRelay } from '../../test/tasks/relay-tasks.ts';
import { lendTab } from '../../test/tasks/scripted-tab.ts';
import { createPromptAsker } from '../approvals/prompt-asker.ts';

test('a task notifies when it asks and when it ends, not when it resumes', async () => {
  const question = { status: 'needs_user_input', userQuestion: 'Which size?' } as const;
  const done = { thought: 'It is there.', action: 'finish()', status: 'completed' } as const;
  const fail = { thought: 'There is none.', action: 'fail()', status: 'failed' } as const;
  const relay = await startTaskRelay(scriptedBrain(question, done, fail), {
    notices: { loopback: true },
  });
  const service = await startPostServer();
  const phone = await subscribe(relay, service);
  lendTab(relay.bridge, 'tab');
  const first = (await call(relay, phone, 'POST /api/tasks', { prompt: 'Fill the cart' })).body;
  const asked = phone.read(await service.next());
  expect(asked).toMatchObject({
    ...{ kind: 'question', session_id: first.session_id, title: 'Fill the cart asks', body: 'Which size?' },
  });
  await call(relay, phone, `POST /api/tasks/${first.task_id}/answer`, { answer: 'Large' });
  const rest = [phone.read(await service.next()), phone.read(await service.next())];
  expect(rest).toContainEqual({ type: 'close', close: asked['tag'] });
  expect(rest).toContainEqual(expect.objectContaining({ kind: 'finished', title: 'Done: Fill the cart' }));

  await call(relay, phone, 'POST /api/tasks', { prompt: 'Find a unicorn' });
  expect(phone.read(await service.next())).toMatchObject({
    ...{ kind: 'failed', title: 'Not done: Find a unicorn', body: expect.stringContaining('Failed') },
  });
  await logged(relay, phone, [{}, {}, {}]);
});

test('a page that needs its person notifies', async () => {
  const { relay, service, clock } = await startHarness();
  const phone = await subscribe(relay, service);
  const { core } = relay;
  const asker = createPromptAsker({ core, clock: coreClock(clock), device_id: 'chrome', label: 'Chrome' });
  const question = {
    ...({ kind: 'handover', question_id: 'q1', runtime_id: 'tab', call_id: 'c1', name: 'page' } as const),
    ...({ origin: 'https://shop.example', effect: 'act', sentence: 'Solve the puzzle.' } as const),
    ...{ data: [], call_hash: 'hash', expires_at: clock.now() + 1_000 },
  };
  await asker.ask(question, new AbortController().signal);
  expect(phone.read(await service.next())).toMatchObject({
    ...{ kind: 'question', session_id: 'browser_chrome', title: 'Chrome asks' },
    body: 'The page at https://shop.example needs you: Solve the puzzle.',
  });
  asker.close();
});
