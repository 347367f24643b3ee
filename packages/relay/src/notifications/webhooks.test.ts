import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  answer,
  ask,
  POLL,
  startHarness,
  startRealHarness,
} from '../../test/notifications/notifications-harness.ts';
import type { Posted } from '../../test/notifications/push-service.ts';
import { call } from '../../test/server/sessions-api/sessions-api-harness.ts';

/** The message, if it is signed with this secret. */
function readSigned({ headers, body }: Posted, secret: string) {
  const [, t = '', v1] = /^t=(\d+),v1=([\da-f]{64})$/.exec(String(headers['drawbridge-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  if (v1 !== expected) throw new Error('It is not signed with this secret.');
  return { t: Number(t), ...JSON.parse(String(body)) };
}

test('a webhook gets the same as phones, signed, with retries until accepted', async () => {
  const { relay, proxy, service } = await startRealHarness();
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  const url = `${service.url}/hook?key=hidden`;
  const added = await call(relay, owner, 'POST /api/webhooks', { body: { url, kinds: ['prompt'] } });
  expect(added).toMatchObject({ status: 201, body: { webhook: { url, kinds: ['prompt'] } } });
  const { secret, webhook } = added.body;
  expect((await call(relay, owner, 'GET /api/webhooks')).body).toEqual({ webhooks: [webhook] });

  service.answer(500, 200);
  ask(proxy, 'p1');
  const first = readSigned(await service.next(), secret);
  expect(first).toMatchObject({
    ...{ type: 'notice', kind: 'prompt', session_id: 'one', prompt_id: 'p1', notice_id: expect.any(String) },
    ...{
      t: expect.any(Number),
      body: 'Run `npm publish`? · https://registry.example · This can’t be undone.',
    },
  });
  expect(readSigned(await service.next(), secret)).toEqual({ ...first, t: expect.any(Number) });
  const logged = () => call(relay, owner, `GET /api/webhooks/${webhook.webhook_id}/log`);
  await expect
    .poll(async () => (await logged()).body.notices, POLL)
    .toMatchObject([{ state: 'sent', status: 200, attempts: 2 }]);

  await screen.next('permission_prompt');
  await answer(screen, proxy, 'p1');
  expect(readSigned(await service.next(), secret)).toMatchObject({ type: 'close', close: first.tag });

  const entries = await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 9);
  expect(entries.find(({ action }) => action === 'webhook_added')).toMatchObject({
    detail: { host: new URL(url).host },
  });
  const path = `/api/webhooks/${webhook.webhook_id}`;
  expect(await call(relay, owner, `DELETE ${path}`)).toMatchObject({ status: 204 });
  expect(await call(relay, owner, `DELETE ${path}`)).toMatchObject({ status: 404 });
  expect((await call(relay, owner, 'GET /api/webhooks')).body).toEqual({ webhooks: [] });
});

test("a webhook's redirect is not followed; it keeps its own secret and survives a restart", async () => {
  const { relay, service } = await startHarness();
  const owner = await relay.mint('owner');
  const secret = 'sixteen characters';
  const body = { url: `${service.url}/hook`, secret };
  const added = await call(relay, owner, 'POST /api/webhooks', { body });
  expect(added.body).toEqual({ webhook: expect.not.objectContaining({ secret }) });
  const again = await relay.restart();
  service.answer({ redirect: `${service.url}/elsewhere` });
  const tested = await call(again, owner, `POST /api/webhooks/${added.body.webhook.webhook_id}/test`);
  expect(tested.body.notice).toMatchObject({ kind: 'test', state: 'failed', reason: 'refused', status: 307 });
  expect(readSigned(await service.next(), secret)).toMatchObject({ kind: 'test' });
  expect(service.posted).toHaveLength(1);
  const person = await again.mint('person');
  expect(await call(again, person, 'GET /api/webhooks')).toMatchObject({ status: 403 });
});
