import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { event, send } from '@drawbridge/ledger/test/samples';
import { ledgerFolder, writtenBy } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { expect, test } from 'vitest';
import { startRelay } from './start-relay.ts';

/** `row_check` as versions 2 to 4 computed it. Not imported: today's must accept what they stored. */
function oldRowCheck(...values: SQLOutputValue[]): number {
  const text = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`,
  );
  return crc32(text.map((each) => `${each}\u001f`).join(''));
}

const EVENTS = `SELECT session_id, sequence, event_id, type, at, message_id, payload, prev_hash, hash
  FROM events JOIN sessions USING (session) ORDER BY session, sequence`;
const TABLES = ['devices', 'files', 'audit', 'settings', 'prompts', 'tasks', 'tab_sessions'];

const rowsOf = (database: DatabaseSync, sql: string) => database.prepare(sql).all();

/** Rows of the tables that this version has. */
function otherRows(database: DatabaseSync, tables: readonly string[]) {
  return Object.fromEntries(tables.map((table) => [table, rowsOf(database, `SELECT * FROM ${table}`)]));
}

test.each([2, 3, 4])(
  '[CHT-130] starts on a ledger that a relay of schema %i wrote, with every event',
  async (version) => {
    const data = await ledgerFolder();
    const path = join(data, 'ledger.db');
    const old = new DatabaseSync(path);
    old.function('row_check', { deterministic: true, varargs: true }, oldRowCheck);
    old.exec(await writtenBy(version));
    const there = new Set(rowsOf(old, 'SELECT name FROM sqlite_schema').map(({ name }) => name));
    const tables = TABLES.filter((table) => there.has(table));
    const before = { events: rowsOf(old, EVENTS), others: otherRows(old, tables) };
    old.close();
    await chmod(path, 0o600);
    expect(before.events).toHaveLength(13);

    const relay = await startRelay({ data, port: 0, log: () => {} });
    expect((await fetch(`${relay.url}/readyz`)).status).toBe(200);
    const { ledger } = relay;
    expect(await ledger.verify()).not.toHaveProperty('damage');
    // Sends that were in flight and queued at the upgrade still wait, in their order.
    expect((await ledger.queuedMessages('proxy')).map(({ client_message_id }) => client_message_id)).toEqual([
      'm3',
      'm4',
    ]);
    // A retry from before the upgrade is recognized.
    expect(await ledger.commit([send('a', 'm1')])).toMatchObject({
      committed: false,
      refusal: { reason: 'message_repeated' },
    });
    expect(await ledger.commit([send('a', 'm5'), event('a', 'said-5', { message_id: 'm5' })])).toMatchObject({
      committed: true,
    });
    const transcript = await ledger.transcriptBefore('a', 99, 99);
    expect(transcript?.events.map(({ event_id }) => event_id)).toEqual([
      'said-1',
      'said-2',
      'said-3',
      'said-4',
      'reply',
      'said-5',
    ]);
    await relay.close();

    const now = new DatabaseSync(path, { readOnly: true });
    const after = rowsOf(now, EVENTS);
    expect(
      after.filter(({ event_id }) => before.events.some((each) => each['event_id'] === event_id)),
    ).toEqual(before.events);
    const others = otherRows(now, tables);
    for (const table of tables)
      expect(others[table]).toEqual(expect.arrayContaining(before.others[table] ?? []));
    now.close();
  },
);
