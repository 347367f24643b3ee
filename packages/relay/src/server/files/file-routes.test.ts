import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import {
  startTestRelay,
  type TestDevice,
  type TestRelay,
  type TestRelayOptions,
} from '../../../test/server/test-relay.ts';

const bearer = ({ token }: TestDevice) => ({ authorization: `Bearer ${token}` });

/** A relay with the session `one` of this proxy. */
async function startWithSession(options: TestRelayOptions = {}) {
  const relay = await startTestRelay(options);
  const proxy = await relay.mint('proxy');
  const session = { session_id: 'one', proxy_device_id: proxy.device_id, metadata: {}, at: 1 };
  await relay.ledger.commit([{ do: 'create_session', ...session }]);
  return { relay, proxy };
}

async function put(
  relay: TestRelay,
  device: TestDevice,
  body: string | Uint8Array<ArrayBuffer>,
  query = 'name=a.txt&session_id=one',
) {
  const response = await fetch(`${relay.url}/api/files?${query}`, {
    method: 'POST',
    headers: bearer(device),
    body,
  });
  return { status: response.status, body: await response.json() };
}

const get = (relay: TestRelay, device: TestDevice, file_id: string) =>
  fetch(`${relay.url}/api/files/${file_id}`, { headers: bearer(device) });

test('a file comes back unchanged, as a download and never inline', async () => {
  const { relay } = await startWithSession();
  const person = await relay.mint('person');
  const content = '<script>alert(1)</script>';
  const response = await fetch(
    `${relay.url}/api/files?session_id=one&name=${encodeURIComponent('../../ü"\r\n\u202e<x>.html')}`,
    {
      method: 'POST',
      headers: { ...bearer(person), 'content-type': 'text/html' },
      body: content,
    },
  );
  expect(response.status).toBe(201);
  const { file_id, name, sha256 } = await response.json();
  expect(name).toBe('ü"<x>.html');
  expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
  const back = await get(relay, person, file_id);
  expect(await back.text()).toBe(content);
  expect(Object.fromEntries(back.headers)).toMatchObject({
    'content-disposition': `attachment; filename*=UTF-8''%C3%BC%22%3Cx%3E.html`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'content-type': 'text/html',
  });
  const path = join(relay.data, 'files', sha256);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a file over the size limit or the device's quota leaves nothing behind", async () => {
  const { relay } = await startWithSession({ limits: { file_bytes: 1_000, device_bytes: 1_500 } });
  const person = await relay.mint('person');
  const kept = async () => (await readdir(join(relay.data, 'files'), { recursive: true })).toSorted();
  expect((await put(relay, person, 'x'.repeat(1_001))).body).toMatchObject({
    error: { code: 'file_too_large' },
  });
  expect(await kept()).toEqual(['arriving']);
  expect((await put(relay, person, 'x'.repeat(1_000))).status).toBe(201);
  expect((await put(relay, person, 'x'.repeat(501))).body).toMatchObject({
    error: { code: 'quota_reached' },
  });
  expect((await put(relay, person, 'x'.repeat(500))).status).toBe(201);
  expect(await kept()).toHaveLength(3);
  const again = await relay.restart();
  expect((await put(again, person, 'x')).body).toMatchObject({ error: { code: 'quota_reached' } });
  expect((await put(again, await again.mint('person'), 'x')).status).toBe(201);
});

test('[CHT-92] only devices that see the session can read its file', async () => {
  const { relay, proxy } = await startWithSession();
  const person = await relay.mint('person');
  const { body } = await put(relay, person, 'hello', 'name=a.txt&session_id=one');
  const statusFor = async (device: TestDevice) => (await get(relay, device, body.file_id)).status;
  for (const device of [
    person,
    proxy,
    await relay.mint('owner'),
    await relay.mint('person', ['session:one']),
  ]) {
    expect(await statusFor(device)).toBe(200);
  }
  expect(await statusFor(await relay.mint('person', ['session:two']))).toBe(404);
  expect(await statusFor(await relay.mint('proxy'))).toBe(404);
  expect(await statusFor(await relay.mint('agent'))).toBe(403);
  const other = await relay.mint('person', ['session:two']);
  expect((await put(relay, other, 'x', 'session_id=one')).status).toBe(404);
  expect((await put(relay, person, 'x', 'session_id=none')).status).toBe(404);
});

test('[CHT-146] refuses a file without a session, which its proxy could not fetch', async () => {
  const { relay } = await startWithSession();
  const owner = await relay.mint('owner');
  const { status, body } = await put(relay, owner, 'x', 'name=a.txt');
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain('session_id');
  expect((await put(relay, owner, 'x', 'name=a.txt&session_id=')).status).toBe(404);
  expect(await readdir(join(relay.data, 'files'))).toEqual(['arriving']);
});

test('[CHT-146] a file of one session is no attachment in another; in its own, the proxy gets it', async () => {
  const relay = await startTestRelay();
  const person = await relay.connect('person');
  const proxy = await startProxy(relay, 'one', 'two');
  const { body } = await put(relay, await relay.mint('owner'), 'secret', 'name=a.txt&session_id=one');
  const send = (session_id: string, client_message_id: string) =>
    person.send({
      type: 'send_message',
      ...{ session_id, client_message_id, content: 'look', created_at: '2026-01-01T00:00:00.000Z' },
      attachments: [{ attachment_id: body.file_id, name: 'a.txt', kind: 'uploaded_file' }],
    });
  send('two', 'm1');
  expect(await person.next('connection_error')).toMatchObject({ code: 'send_rejected' });
  send('one', 'm2');
  const { attachments = [] } = await proxy.next('send_message');
  expect(proxy.device).toBeDefined();
  if (proxy.device === undefined) return;
  const fetched = await get(relay, proxy.device, attachments[0]?.attachment_id ?? '');
  expect(await fetched.text()).toBe('secret');
});

test('[CHT-93] revoking the sender aborts its upload and leaves nothing behind', async () => {
  const { relay } = await startWithSession();
  const person = await relay.mint('person');
  const path = '/api/files?name=a.txt&session_id=one';
  const upload = request(relay.url + path, { method: 'POST', headers: bearer(person) });
  const ended = new Promise((resolve) => upload.on('error', resolve).on('response', resolve));
  upload.write('the first half');
  const arriving = join(relay.data, 'files', 'arriving');
  await expect.poll(() => readdir(arriving)).toHaveLength(1);
  await relay.devices.revoke(person.device_id, 'machine');
  expect(await ended).toBeInstanceOf(Error);
  await expect.poll(() => readdir(arriving)).toEqual([]);
  expect(await relay.ledger.filesOf('one')).toEqual([]);
});

test('no path escapes the store', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  for (const id of ['..%2fledger.db', '%2e%2e%2fowner.json', 'arriving', '..', '%00', 'a'.repeat(64)]) {
    expect((await get(relay, owner, id)).status).toBe(404);
  }
});

test('an upload beyond a limit is refused before its body is read, and half-sent ones count', async () => {
  const limits = { open_uploads: 2, file_bytes: 1_000, device_bytes: 1_500 };
  const { relay } = await startWithSession({ limits });
  const person = await relay.mint('person');
  const begin = (length: number) => {
    const headers = { ...bearer(person), 'content-length': String(length) };
    const upload = request(`${relay.url}/api/files?session_id=one`, { method: 'POST', headers });
    onTestFinished(() => void upload.destroy());
    upload.on('error', () => {});
    // Only the head is sent.
    upload.flushHeaders();
    return upload;
  };
  const refusalOf = async (length: number) => {
    const [response] = await once(begin(length), 'response');
    const { error } = JSON.parse(await text(response));
    return { status: response.statusCode, closes: response.headers.connection, error };
  };
  expect(await refusalOf(1_001)).toMatchObject({ status: 413, closes: 'close' });
  const first = begin(900);
  await expect.poll(() => readdir(join(relay.data, 'files', 'arriving'))).toHaveLength(1);
  expect(await refusalOf(700)).toMatchObject({
    ...{ status: 507, closes: 'close' },
    error: { message: expect.stringMatching(/has 900 with the uploads under way.*try again/) },
  });
  begin(600);
  await expect.poll(() => readdir(join(relay.data, 'files', 'arriving'))).toHaveLength(2);
  expect(await refusalOf(1)).toMatchObject({
    ...{ status: 429, closes: 'close' },
    error: { limit: 'open_uploads', message: expect.stringMatching(/2 uploads under way.* in 30 s/) },
  });
  first.destroy();
  await expect.poll(async () => (await put(relay, person, 'x'.repeat(900))).status).toBe(201);
});
