import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  answer,
  ask,
  log,
  logged,
  POLL,
  startHarness,
  startRealHarness,
  subscribe,
  works,
} from '../../test/notifications/notifications-harness.ts';
import { vapidClaims } from '../../test/notifications/push-service.ts';
import { call } from '../../test/server/sessions-api/sessions-api-harness.ts';

test('a prompt notifies a phone, and is closed when it is answered elsewhere', async () => {
  const { relay, proxy, service } = await startHarness();
  const phone = await subscribe(relay, service);
  const screen = await relay.connect('person');
  ask(proxy, 'p1');

  const rung = await service.next();
  const { body: key } = await call(relay, phone, 'GET /api/push/key');
  expect(vapidClaims(rung.headers.authorization, key.public_key)).toMatchObject({
    aud: service.url,
    sub: expect.stringMatching(/^mailto:/),
  });
  expect(rung.path).toBe(phone.path);
  const delivered = phone.read(rung);
  expect(delivered).toEqual({
    ...{ type: 'notice', kind: 'prompt', session_id: 'one', prompt_id: 'p1', who: 'Agent one' },
    ...{ title: 'Agent one needs you', at: expect.any(Number), tag: rung.headers['topic'] },
    body: 'Run `npm publish`? · https://registry.example · This can’t be undone.',
  });
  expect(rung.headers).toMatchObject({ urgency: 'high', ttl: '3600' });

  await screen.next('permission_prompt');
  await answer(screen, proxy, 'p1');
  expect(phone.read(await service.next())).toEqual({ type: 'close', close: delivered['tag'] });
  await logged(relay, phone, [
    { kind: 'prompt', state: 'sent', status: 201, attempts: 1, closed_at: expect.any(Number) },
  ]);
});

test('a device gets no notification of a session on its screen, while it keeps reporting that', async () => {
  const { relay, proxy, service, clock } = await startHarness();
  const [phone, laptop] = [await subscribe(relay, service), await subscribe(relay, service)];
  const show = (body: object) => call(relay, phone, 'PUT /api/push/visible', { body });
  expect(await show({ session_id: 'one', screen_id: 'tab' })).toMatchObject({ status: 204 });
  await show({ session_id: 'two', screen_id: 'other tab' });
  ask(proxy, 'p1');
  expect((await service.next()).path).toBe(laptop.path);
  expect(await log(relay, phone)).toMatchObject([{ state: 'suppressed', reason: 'visible', attempts: 0 }]);

  clock.jump(30_000);
  ask(proxy, 'p2');
  const paths = [(await service.next()).path, (await service.next()).path];
  expect(paths.sort()).toEqual([phone.path, laptop.path].sort());
  expect(await show({ session_id: 7 })).toMatchObject({ status: 400 });
});

test('in quiet hours only prompts and questions notify, and not even those when switched off', async () => {
  const { relay, proxy, service, clock } = await startHarness();
  const quiet_hours = { from: '11:30', to: '13:00', timezone: 'Europe/London', except_prompts: true };
  const phone = await subscribe(relay, service, undefined, { quiet_hours });
  const laptop = await subscribe(relay, service, undefined, {
    quiet_hours: { ...quiet_hours, except_prompts: false },
  });
  ask(proxy, 'p1');
  expect((await service.next()).path).toBe(phone.path);
  await logged(relay, laptop, [{ state: 'suppressed', reason: 'quiet_hours' }]);

  await works(proxy, 'thinking', 'two');
  clock.jump(20_000);
  await works(proxy, 'idle', 'two');
  await logged(relay, phone, [
    { kind: 'finished', state: 'suppressed', reason: 'quiet_hours' },
    { kind: 'prompt' },
  ]);
  expect(service.posted).toHaveLength(1);
});

test('drops a subscription that the push service reports as gone', async () => {
  const { relay, proxy, service } = await startHarness();
  const phone = await subscribe(relay, service);
  service.answer(410);
  ask(proxy, 'p1');
  await service.next();
  await logged(relay, phone, [{ state: 'failed', reason: 'gone', status: 410, attempts: 1 }]);
  await expect
    .poll(async () => (await call(relay, phone, 'GET /api/push/settings')).body, POLL)
    .toMatchObject({ subscribed: false });
  expect(await call(relay, phone, 'POST /api/push/test')).toMatchObject({ status: 404 });
});

test('notifies when long work is over, and when a question is asked', async () => {
  const { relay, proxy, service, clock } = await startHarness();
  const phone = await subscribe(relay, service);
  await works(proxy, 'thinking');
  clock.jump(19_999);
  await works(proxy, 'idle');
  await works(proxy, 'thinking');
  clock.jump(10_000);
  await works(proxy, 'running_command');
  clock.jump(140_000);
  await works(proxy, 'waiting_for_user');
  const finished = phone.read(await service.next());
  expect(finished).toMatchObject({
    ...{ kind: 'finished', title: 'Agent one has finished' },
    body: 'After 3 min of work. Waiting for you.',
  });
  await works(proxy, 'thinking');
  expect(phone.read(await service.next())).toEqual({ type: 'close', close: finished['tag'] });

  proxy.send({ type: 'agent_question', session_id: 'one', question_id: 'q1', text: 'Which branch?' });
  const asked = phone.read(await service.next());
  expect(asked).toMatchObject({ kind: 'question', title: 'Agent one asks', body: 'Which branch?' });
  await works(proxy, 'waiting_for_user');
  await works(proxy, 'thinking');
  expect(phone.read(await service.next())).toEqual({ type: 'close', close: asked['tag'] });
});

test('writes to each device in its own language', async () => {
  const { relay, proxy, service } = await startHarness();
  const phone = await subscribe(relay, service);
  const say = (language: string) =>
    call(relay, phone, 'PUT /api/push/subscription', { body: { ...phone.subscription, language } });
  expect((await say('de-AT')).body).toMatchObject({ subscribed: true, language: 'de' });
  const prompt_text = [
    'element.click on “Pay 49 €” at https://pay.example. This can’t be undone.',
    'Where: https://pay.example',
    'Amount: Total 49 €',
    '· id: 7',
  ].join('\n');
  ask(proxy, 'p1', { prompt_text });
  expect(phone.read(await service.next())).toMatchObject({
    title: 'Agent one braucht dich',
    body: '„Pay 49 €“ drücken · https://pay.example · Betrag: Total 49 €',
  });
  expect((await call(relay, phone, 'POST /api/push/test')).body.notice).toMatchObject({
    title: 'Drawbridge erreicht dich hier',
  });
  await service.next();
  await say('fr');
  proxy.send({ type: 'agent_question', session_id: 'one', question_id: 'q1', text: 'Which branch?' });
  expect(phone.read(await service.next())).toMatchObject({ title: 'Agent one asks' });
});

test('a guest is notified about its session, a sender about its own messages', async () => {
  const { relay, proxy, service } = await startHarness();
  const sender = await relay.connect('person');
  const phone = await subscribe(relay, service, sender.device);
  const guest = await subscribe(relay, service, await relay.mint('person', ['session:two']));
  const message = { client_message_id: 'm1', content: 'Go on.', created_at: '2026-01-15T12:00:00Z' };
  sender.send({ type: 'send_message', session_id: 'two', ...message });
  const { attempt } = await proxy.next('send_message');
  const error = { code: 'selector_failure', message: 'Its window shows no place to write.' };
  const outcome = { client_message_id: 'm1', attempt, result: 'failed', error };
  proxy.send({ type: 'proxy_send_result', session_id: 'two', ...outcome });
  const failed = await service.next();
  expect(failed.path).toBe(phone.path);
  expect(phone.read(failed)).toMatchObject({
    ...{ kind: 'failed', title: 'Your message did not reach Agent two' },
    body: error.message,
  });
  ask(proxy, 'p1');
  expect((await service.next()).path).toBe(phone.path);
  ask(proxy, 'p2', { session_id: 'two' });
  const paths = [(await service.next()).path, (await service.next()).path];
  expect(paths.sort()).toEqual([phone.path, guest.path].sort());
  expect(await log(relay, guest)).toMatchObject([{ prompt_id: 'p2' }]);
});

test('a revoked device gets nothing, nor does one whose browser belongs to another device now', async () => {
  const { relay, proxy, service } = await startHarness();
  const [first, second, revoked] = [
    await subscribe(relay, service),
    await relay.mint('person'),
    await subscribe(relay, service),
  ];
  await call(relay, second, 'PUT /api/push/subscription', { body: first.subscription });
  await relay.devices.revoke(revoked.device_id, 'machine');
  ask(proxy, 'p1');
  expect((await service.next()).path).toBe(first.path);
  await logged(relay, second, [{ state: 'sent' }]);
  expect(await log(relay, first)).toEqual([]);
  expect(service.posted).toHaveLength(1);
});

test('sends a notification interrupted by a restart afterwards, with the same key from its file', async () => {
  const { relay, proxy, service } = await startHarness({ notices: { loopback: true, retryMs: [60_000] } });
  const phone = await subscribe(relay, service);
  service.answer(503);
  ask(proxy, 'p1');
  await service.next();
  await logged(relay, phone, [{ state: 'queued', attempts: 1 }]);
  const key = (await call(relay, phone, 'GET /api/push/key')).body;
  service.answer(201);
  const again = await relay.restart();
  expect(phone.read(await service.next())).toMatchObject({ kind: 'prompt', prompt_id: 'p1' });
  await logged(again, phone, [{ state: 'sent', status: 201 }]);
  expect((await call(again, phone, 'GET /api/push/key')).body).toEqual(key);
  expect((await stat(join(relay.data, 'notices.json'))).mode & 0o777).toBe(0o600);
});

test('a test notification is sent at any hour, retried, and reports its outcome', async () => {
  const { relay, service } = await startRealHarness();
  const all_day = { from: '00:00', to: '23:59', timezone: 'UTC', except_prompts: false };
  const phone = await subscribe(relay, service, undefined, { kinds: [], quiet_hours: all_day });
  expect((await call(relay, phone, 'GET /api/push/settings')).body).toEqual({
    ...{ subscribed: true, language: 'en', kinds: [], quiet_hours: all_day },
  });
  service.answer(429, 201);
  expect(await call(relay, phone, 'POST /api/push/test')).toMatchObject({
    status: 200,
    body: { notice: { kind: 'test', state: 'sent', status: 201, attempts: 2 } },
  });
  const agent = await relay.mint('agent');
  expect(await call(relay, agent, 'GET /api/push/key')).toMatchObject({ status: 403 });
});
