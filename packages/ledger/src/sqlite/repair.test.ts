import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { repairSqliteFile } from './repair.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';
import { verifySqliteFile } from './verification.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const TEXT = { text: 'word '.repeat(300) };

/** Two sessions of 40 events each, with sends. */
async function closedLedger(): Promise<{ path: string; epoch: string }> {
  const path = join(await ledgerFolder(), 'ledger.db');
  const ledger = await openForTest({ path });
  await ledger.commit([session('a'), session('b')]);
  for (let n = 0; n < 20; n += 1) {
    for (const id of ['a', 'b'])
      await ledger.commit([
        send(id, `m${n}`),
        event(id, `${id}${n}`, { message_id: `m${n}`, payload: TEXT }),
      ]);
  }
  await ledger.close();
  return { path, epoch: ledger.epoch };
}

function harm(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test('cuts a session at its damaged event, leaves the others whole, and keeps the damaged file', async () => {
  const { path, epoch } = await closedLedger();
  harm(path, `UPDATE events SET payload = '{"text":"forged"}' WHERE event_id = 'a15'`);
  const before = readFileSync(path);
  const repair = repairSqliteFile(path, NOW);
  expect(repair).toMatchObject({
    sessions: 2,
    events: 71,
    missingCommits: 0,
    kept: `${path}.damaged-20260102T030405Z`,
    lost: [{ session_id: 'a', from: 32, through: 40 }],
  });
  expect(readFileSync(repair?.kept ?? '').equals(before)).toBe(true);
  expect(verifySqliteFile(path)).toEqual({ sessions: 2, events: 71 });
  const ledger = await openForTest({ path });
  expect(ledger.epoch).toBe(repair?.epoch);
  expect(ledger.epoch).not.toBe(epoch);
  expect(await ledger.session('a')).toMatchObject({ oldest: 1, head: 31 });
  expect(await ledger.commit([event('a', 'goes on')])).toMatchObject({ results: [{ sequence: 32 }] });
  expect(await ledger.queuedMessages('proxy')).toHaveLength(40);
  expect(await ledger.commit([send('a', 'm19')])).toMatchObject({ refusal: { reason: 'message_repeated' } });
  expect((await ledger.auditBefore(99, 1))[0]).toMatchObject({ action: 'ledger_repaired', at: NOW });
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('keeps the longer end when the damage is near the start', async () => {
  const { path } = await closedLedger();
  harm(path, `UPDATE events SET payload = '{}' WHERE event_id = 'b1'`);
  expect(repairSqliteFile(path, NOW)?.lost).toEqual([{ session_id: 'b', from: 1, through: 4 }]);
  const ledger = await openForTest({ path });
  expect(await ledger.session('b')).toMatchObject({ oldest: 5, head: 40 });
  expect((await ledger.transcriptBefore('b', 99, 99))?.events).toHaveLength(18);
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('leaves a whole ledger alone, and refuses one in use', async () => {
  const { path, epoch } = await closedLedger();
  expect(repairSqliteFile(path, NOW)).toBeUndefined();
  const ledger = await openForTest({ path });
  expect(ledger.epoch).toBe(epoch);
  expect(() => repairSqliteFile(path, NOW)).toThrow('Another relay has the ledger');
});

test('a ledger of which nothing can be read stays as it is', async () => {
  const { path } = await closedLedger();
  writeFileSync(path, 'x'.repeat(50_000));
  expect(() => repairSqliteFile(path, NOW)).toThrow('Restore a backup');
  expect(readFileSync(path, 'utf8')).toBe('x'.repeat(50_000));
  expect(readdirSync(dirname(path)).filter((name) => /damaged|part|salvage/.test(name))).toEqual([]);
});

test('after any cut or damaged page, a repaired ledger opens, is whole and accepts, or is refused unchanged', async () => {
  const { path } = await closedLedger();
  const whole = readFileSync(path);
  const mark = readFileSync(`${path}.mark`);
  const random = createSeededRandom(31);
  let repaired = 0;
  let events = 0;
  for (let round = 0; round < 30; round += 1) {
    const harmed = join(await ledgerFolder(), 'ledger.db');
    writeFileSync(harmed, whole);
    writeFileSync(`${harmed}.mark`, mark);
    if (round % 2 === 0) truncateSync(harmed, random.int(1, whole.length / 4_096 - 1) * 4_096);
    else {
      const bytes = Buffer.from(whole);
      const page = random.int(1, whole.length / 4_096 - 1) * 4_096;
      bytes.fill(0xa5, page, page + 4_096);
      writeFileSync(harmed, bytes);
    }
    const before = readFileSync(harmed);
    let repair: ReturnType<typeof repairSqliteFile>;
    try {
      repair = repairSqliteFile(harmed, NOW);
    } catch {
      expect(readFileSync(harmed).equals(before)).toBe(true);
      continue;
    }
    expect(verifySqliteFile(harmed).damage).toBeUndefined();
    const ledger = await openSqliteLedger({ path: harmed });
    expect(await ledger.commit([session('new'), event('new', 'e1')])).toMatchObject({ committed: true });
    await ledger.close();
    if (repair === undefined) continue;
    repaired += 1;
    events += repair.events;
  }
  expect(repaired).toBeGreaterThan(10);
  expect(events).toBeGreaterThan(400);
});
