import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

async function startAt(data: string) {
  const relay = await startRelay({ data, port: 0, env: {} });
  onTestFinished(relay.close);
  return relay;
}

/** A folder with one session, a device and a file, and no relay. */
async function filledFolder() {
  const data = temporaryFolder();
  const relay = await startAt(data);
  const at = Date.now();
  const session_id = 'session_1';
  const metadata = { session_id, agent_type: 'codex', display_name: 'Shopping', status: 'disconnected' };
  const payload = { message: { content: 'one' } };
  await relay.ledger.commit([
    { do: 'create_session', session_id, proxy_device_id: 'p', metadata, at },
    { do: 'append_event', session_id, type: 'message_event', event_id: 'e1', payload, at },
  ]);
  const { token } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const { epoch } = relay.ledger;
  await relay.close();
  writeFileSync(join(data, 'grants.json'), '[]', { mode: 0o600 });
  mkdirSync(join(data, 'profiles/work'), { recursive: true });
  return { data, token, epoch };
}

test('a relay runs on the copy with its sessions, devices and grants, under a new epoch', async () => {
  const { data, token, epoch } = await filledFolder();
  const copy = join(temporaryFolder(), 'today');
  const made = await drawbridge(['backup', copy, '--data', data, '--json']);
  expect(JSON.parse(made.text)).toEqual({ path: copy, sessions: 1, events: 1 });
  expect(statSync(copy).mode & 0o777).toBe(0o700);
  for (const file of ['ledger.db', 'grants.json', 'owner.json', 'notices.json'])
    expect(statSync(join(copy, file)).mode & 0o777, file).toBe(0o600);
  expect(() => statSync(join(copy, 'profiles'))).toThrow('ENOENT');
  const relay = await startAt(copy);
  expect(relay.ledger.epoch).not.toBe(epoch);
  expect(await relay.ledger.session('session_1')).toMatchObject({ session_id: 'session_1' });
  const me = await fetch(`${relay.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ label: 'Phone' });
});

test('overwrites nothing, and works while a relay runs', async () => {
  const { data } = await filledFolder();
  const full = temporaryFolder();
  writeFileSync(join(full, 'x'), '');
  const into = (folder: string) => drawbridge(['backup', folder, '--data', data]);
  expect(await into(full)).toMatchObject({ code: 1, errors: expect.stringContaining('never overwrites') });
  expect(await into(join(data, 'here'))).toMatchObject({
    code: 1,
    errors: expect.stringContaining('elsewhere'),
  });
  expect((await drawbridge(['backup'])).code).toBe(2);
  const empty = await drawbridge(['backup', join(full, 'new'), '--data', temporaryFolder()]);
  expect(empty).toMatchObject({ code: 1, errors: expect.stringContaining('There is no ledger') });
  await startAt(data);
  const running = await into(join(temporaryFolder(), 'new'));
  expect(running).toMatchObject({ code: 0, text: expect.stringContaining('1 session') });
});
