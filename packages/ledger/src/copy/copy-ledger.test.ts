import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  openForTest as openPostgresForTest,
  postgresHarness,
  runSql,
} from '../../test/postgres/postgres-harness.ts';
import { event, launch, prompt, send, session, tabSession, task } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import type { Ledger } from '../ledger.ts';
import { copyLedger } from './copy-ledger.ts';

const harness = postgresHarness();

async function fill(ledger: Ledger): Promise<void> {
  const device = {
    device_id: 'phone',
    roles: ['person'],
    label: 'Phone “né”',
    scopes: ['chat'],
    token_hash: 'h1',
    created_at: 1,
    last_seen_at: null,
    revoked_at: null,
  };
  const file = {
    file_id: 'f1',
    session_id: 'a',
    device_id: 'phone',
    name: 'a.png',
    media_type: 'image/png',
    bytes: 12,
    sha256: 'x',
    created_at: 2,
  };
  const of = { session_id: 'a', client_message_id: 'm1' };
  const entry = {
    at: 1,
    device_id: null,
    action: 'device_added' as const,
    subject: 'phone',
    detail: { by: '\0' },
  };
  // Names that sort in another order than they were created.
  await ledger.commit([session('b'), session('a', { metadata: { title: '\ud800 \0' } }), session('empty')]);
  await ledger.commit([
    send('a', 'm1'),
    event('a', 'e1', { payload: { text: '\u2028 \0 "\\' }, message_id: 'x' }),
  ]);
  await ledger.commit(Array.from({ length: 450 }, (_, n) => event('b', `e${n}`)));
  await ledger.commit([{ do: 'settle_message', ...of, state: 'failed', error: { code: 'x' }, at: 8 }]);
  await ledger.commit([
    send('b', 'm1'),
    prompt('b', 'p1'),
    launch('r1'),
    task('a', 't1', 0),
    tabSession('b'),
  ]);
  await ledger.commit([{ do: 'prune_events', session_id: 'b', through: 30, limit: 99 }]);
  await ledger.commit([
    { do: 'put_device', device },
    { do: 'put_file', file },
    { do: 'audit', entry },
  ]);
  await ledger.commit([{ do: 'put_file', file: { ...file, file_id: 'f2', session_id: null } }]);
  await ledger.commit([{ do: 'put_setting', key: 'vapid', value: { public: 'k' } }]);
}

/** The whole contents of a ledger. */
const contents = async (ledger: Ledger) => ({
  epoch: ledger.epoch,
  report: await ledger.verify(),
  sessions: await ledger.liveSessions(),
  events: await Promise.all(['a', 'b', 'empty'].map((each) => ledger.eventsAfter(each, 0, 9_999))),
  messages: [await ledger.message('a', 'm1'), await ledger.queuedMessages('proxy')],
  prompts: await ledger.openPrompts(),
  launches: await ledger.pendingLaunches(),
  devices: await ledger.devices(),
  files: [await ledger.file('f1'), await ledger.file('f2')],
  audit: await ledger.auditBefore(99, 99),
  setting: await ledger.setting('vapid'),
  tasks: await ledger.openTasks(),
  tabs: await ledger.tabSession('b'),
});

async function filledFile(): Promise<string> {
  const path = join(await ledgerFolder(), 'ledger.db');
  const ledger = await openForTest({ path });
  await fill(ledger);
  await ledger.close();
  return path;
}

test('a ledger moves from a file to a database and back, and is the same each time, with its epoch', async () => {
  const path = await filledFile();
  const before = await openForTest({ path });
  const expected = await contents(before);
  await before.close();

  const url = await harness.ledgerUrl();
  const progress: string[] = [];
  const moved = await copyLedger(path, url, ({ table, rows }) => progress.push(`${table} ${rows}`));
  expect(moved).toMatchObject({
    epoch: expected.epoch,
    rows: { sessions: 3, messages: 2, files: 2, audit: 1 },
  });
  expect(progress).toContain('events 200');
  const database = await openPostgresForTest({ url });
  expect(await contents(database)).toEqual(expected);
  await database.close();

  const back = `${path}.back`;
  await copyLedger(url, back);
  const after = await openForTest({ path: back });
  expect(await contents(after)).toEqual(expected);
});

test('a moved ledger continues its sequences', async () => {
  const path = await filledFile();
  const url = await harness.ledgerUrl();
  await copyLedger(path, url);
  const ledger = await openPostgresForTest({ url });
  const next = await ledger.commit([session('c'), event('b', 'next'), send('c', 'm2'), launch('r2')]);
  expect(next).toMatchObject({ results: [null, { sequence: 452 }, { sequence: 1 }, null] });
  await ledger.commit([task('c', 't2', 0), prompt('a', 'p2')]);
  const entry = { at: 2, device_id: null, action: 'device_revoked' as const, subject: 'phone', detail: {} };
  await ledger.commit([{ do: 'audit', entry }]);
  expect(await ledger.auditBefore(99, 1)).toMatchObject([{ number: 2, action: 'device_revoked' }]);
  expect((await ledger.heads()).map(({ session_id }) => session_id)).toEqual(['b', 'a', 'empty', 'c']);
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('refuses a target that is not empty, or a source in use, damaged or missing, and leaves nothing behind', async () => {
  const path = await filledFile();
  const url = await harness.ledgerUrl();
  const relay = await openForTest({ path });
  await expect(copyLedger(path, url)).rejects.toMatchObject({ code: 'ledger_locked' });
  await relay.close();
  await expect(copyLedger(`${path}.no`, url)).rejects.toThrow(/There is no ledger at/);
  await expect(copyLedger(path, path)).rejects.toThrow(/exists. A copy never overwrites/);

  const node = await openPostgresForTest({ url });
  await node.holdLease({ node_id: randomUUID(), url: 'http://127.0.0.1:1' }, 60_000);
  await expect(copyLedger(path, url)).rejects.toThrow(/Relays run on this database \(http:\/\/127.0.0.1:1\)/);
  await runSql(url, 'DELETE FROM drawbridge.nodes');
  await node.commit([session('z')]);
  await expect(copyLedger(path, url)).rejects.toThrow(/not empty \(sessions\)/);

  await runSql(url, "UPDATE drawbridge.sessions SET head = 7 WHERE session_id = 'z'");
  const draft = `${path}.copy`;
  await expect(copyLedger(url, draft)).rejects.toThrow(/The copy differs from its source.*session z/);
  expect(existsSync(`${draft}.part`)).toBe(false);
});

test('a backup under load is one whole snapshot of the ledger in a file, with a new epoch', async () => {
  const folder = await ledgerFolder();
  const ledger = await openPostgresForTest({ url: await harness.ledgerUrl() });
  await ledger.commit([session('a')]);
  let copying = true;
  let acknowledged = 0;
  const load = (async () => {
    for (let n = 0; copying; n += 1) {
      // Two rows of one transaction: a copy has both or none.
      await ledger.commit([send('a', `m${n}`), event('a', `e${n}`)]);
      acknowledged = n + 1;
    }
  })();
  await expect.poll(() => acknowledged, { timeout: 20_000 }).toBeGreaterThan(20);
  const atStart = acknowledged;
  await ledger.backup(join(folder, 'copy.db'));
  copying = false;
  await load;
  await expect(ledger.backup(join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'ledger_invalid' });

  const copy = await openForTest({ path: join(folder, 'copy.db') });
  expect(copy.epoch).not.toBe(ledger.epoch);
  expect((await copy.verify()).damage).toBeUndefined();
  const head = (await copy.session('a'))?.head ?? 0;
  expect(head % 2).toBe(0);
  expect(head).toBeGreaterThanOrEqual(atStart * 2);
  expect(await copy.queuedMessages('proxy')).toHaveLength(head / 2);
  expect(await copy.commit([event('a', 'goes on')])).toMatchObject({ results: [{ sequence: head + 1 }] });
  await copy.close();

  // Restored, it is a ledger in a database again.
  const url = await harness.ledgerUrl();
  expect(await copyLedger(join(folder, 'copy.db'), url)).toMatchObject({ rows: { events: head + 1 } });
  const restored = await openPostgresForTest({ url });
  expect(restored.epoch).toBe(copy.epoch);
  expect(await restored.commit([event('a', 'and on')])).toMatchObject({ results: [{ sequence: head + 2 }] });
});
