import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, leave, startProxy } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay, type TestRelay } from '../../../test/server/test-relay.ts';

test('deleting frees the quota, also after a restart', async () => {
  const limits = { device_bytes: 1_000 };
  const relay = await startTestRelay({ limits });
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one', 'two'), screen, 2);
  const owner = await relay.mint('owner');
  const put = async ({ url }: TestRelay, session_id: string): Promise<number> => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const path = `${url}/api/files?name=a&session_id=${session_id}`;
    return (await fetch(path, { method: 'POST', headers, body: 'x'.repeat(800) })).status;
  };
  expect(await put(relay, 'one')).toBe(201);
  expect(await put(relay, 'two')).toBe(507);
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(204);
  const again = await relay.restart();
  expect(await put(again, 'two')).toBe(201);
  expect(await put(again, 'two')).toBe(507);
});

test('deletes the contents of a deleted session, unless another file has them or they are new', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one', 'two'), screen, 2);
  const owner = await relay.mint('owner');
  const put = async (body: string, session_id: string): Promise<string> => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const path = `${relay.url}/api/files?name=a&session_id=${session_id}`;
    return (await (await fetch(path, { method: 'POST', headers, body })).json()).sha256;
  };
  const alone = await put('alone', 'one');
  const shared = await put('shared', 'one');
  expect(await put('shared', 'two')).toBe(shared);
  const young = await put('young', 'one');
  const folder = join(relay.data, 'files');
  for (const sha256 of [alone, shared]) await utimes(join(folder, sha256), 1, 1);
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(204);
  const left = async () => (await readdir(folder)).filter((name) => name !== 'arriving').toSorted();
  expect(await left()).toEqual([shared, young].toSorted());
  await utimes(join(folder, young), 1, 1);
  expect((await call(relay, owner, 'DELETE /api/sessions/two')).status).toBe(204);
  expect(await left()).toEqual([]);
  expect(await readdir(join(folder, 'arriving'))).toEqual([]);
});
