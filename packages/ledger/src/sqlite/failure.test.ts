import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '@drawbridge/testbed';
import { describe, expect, onTestFinished, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerContents } from '../../test/sqlite/ledger-contents.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { eventHash } from '../event-hash.ts';
import type { Ledger } from '../ledger.ts';
import { verifySqliteFile } from './verification.ts';

const LARGE = { text: 'x'.repeat(20_000) };

function forgeThird(database: DatabaseSync): void {
  const before = database.prepare('SELECT hash FROM events WHERE sequence = 2').get()?.['hash'];
  if (!(before instanceof Uint8Array)) throw new Error('there is no second event');
  const forged = {
    session_id: 'a',
    sequence: 3,
    event_id: 'e2',
    type: 'session_status',
    at: 2,
    message_id: null,
  };
  const hash = eventHash(Buffer.from(before).toString('hex'), { ...forged, payload: '{"forged":true}' });
  database
    .prepare(`UPDATE events SET payload = '{"forged":true}', hash = ? WHERE sequence = 3`)
    .run(Buffer.from(hash, 'hex'));
}

async function fill(ledger: Ledger): Promise<{ acknowledged: number; code: unknown }> {
  for (let acknowledged = 0; ; acknowledged += 1) {
    try {
      await ledger.commit([event('a', `e${acknowledged}`, { payload: LARGE })]);
    } catch (error) {
      return { acknowledged, code: error instanceof Error && 'code' in error && error.code };
    }
  }
}

describe('no room', () => {
  test('refuses writes that do not fit, keeps acknowledged ones, and continues when there is room', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const ledger = await openForTest({ path, maxBytes: 600_000 });
    await ledger.commit([session('a')]);
    const { acknowledged, code } = await fill(ledger);
    expect(code).toBe('ledger_full');
    expect(acknowledged).toBeGreaterThan(10);
    expect(await ledger.eventsAfter('a', 0, 99)).toMatchObject({ head: acknowledged, oldest: 1 });
    expect((await ledger.verify()).damage).toBeUndefined();

    await ledger.commit([{ do: 'prune_events', session_id: 'a', through: 5, limit: 99 }]);
    const freed = await ledger.commit([event('a', 'again', { payload: LARGE })]);
    expect(freed).toMatchObject({ results: [{ sequence: acknowledged + 1 }] });
    expect((await fill(ledger)).code).toBe('ledger_full');
    await ledger.close();
    const larger = await openForTest({ path, maxBytes: 6_000_000 });
    expect(await larger.commit([event('a', 'fits now', { payload: LARGE })])).toMatchObject({
      committed: true,
    });
    expect((await larger.verify()).damage).toBeUndefined();
  });

  test('a transaction that is too large does not fail others in its commit', async () => {
    const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db'), maxBytes: 600_000 });
    await ledger.commit([session('a')]);
    const huge = ledger.commit([event('a', 'huge', { payload: { text: 'x'.repeat(900_000) } })]);
    const small = [ledger.commit([send('a', 'm1')]), ledger.commit([send('a', 'm2')])];
    await expect(huge).rejects.toMatchObject({ code: 'ledger_full' });
    expect(await Promise.all(small)).toMatchObject([
      { results: [{ sequence: 1 }] },
      { results: [{ sequence: 2 }] },
    ]);
  });

  // The kernel refuses each write beyond RLIMIT_FSIZE, also in the middle of a page.
  test.runIf(process.platform === 'linux')(
    'a failing disk acknowledges nothing, and is used again once it works',
    async () => {
      const path = join(await ledgerFolder(), 'ledger.db');
      const script = fileURLToPath(new URL('../../test/sqlite/failing-disk.ts', import.meta.url));
      const child = spawn('sh', ['-c', `trap '' XFSZ; exec "$0" "$@"`, process.execPath, script, path], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const ask = async (count: number) => {
        child.stdin.write(`${count}\n`);
        return JSON.parse((await lines.next()).value ?? 'null');
      };
      const limitFiles = async (bytes: number | 'unlimited') => {
        const [code] = await once(spawn('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:`]), 'exit');
        expect(code).toBe(0);
      };
      let events = 0;
      const expectAll = async (count: number) => {
        expect(await ask(count)).toEqual({ acknowledged: count, codes: [] });
        events += count;
      };
      await expectAll(20);
      let refused = 0;
      for (let round = 0; round < 24; round += 1) {
        // At another offset in a page and among a commit's pages each time.
        await limitFiles((await stat(`${path}-wal`)).size + round * 1_031);
        const failing = await ask(12);
        events += failing.acknowledged;
        refused += 12 - failing.acknowledged;
        if (failing.acknowledged < 12) expect(failing.codes).toEqual(['ledger_io']);
        await limitFiles('unlimited');
        await expectAll(2);
      }
      expect(refused).toBeGreaterThan(24);
      child.stdin.end();
      await once(child, 'exit');
      expect(verifySqliteFile(path)).toEqual({ sessions: 1, events });
      const ledger = await openForTest({ path });
      expect(await ledger.session('a')).toMatchObject({ head: events });
    },
  );
});

describe('damage', () => {
  test('names a row that another program changed', async () => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([
      session('a'),
      session('b'),
      ...Array.from({ length: 9 }, (_, n) => event('b', `e${n}`)),
    ]);
    await ledger.close();
    const file = await readFile(path);
    const index = file.indexOf('"event_id":"e6"');
    file[index + 13] = (file[index + 13] ?? 0) ^ 1;
    await writeFile(path, file);
    expect(verifySqliteFile(path)).toMatchObject({ damage: { session_id: 'b', sequence: 7 } });
    const again = await openForTest({ path });
    expect((await again.eventsAfter('b', 0, 6))?.events).toHaveLength(6);
    await expect(again.eventsAfter('b', 0, 9)).rejects.toMatchObject({ code: 'ledger_damaged' });
  });

  test.each([
    ['was forged, hash and all', 4, 'follow', forgeThird],
    ['was taken out', 3, 'missing', 'DELETE FROM events WHERE sequence = 3'],
    ['was the last and is gone', 5, 'missing', 'DELETE FROM events WHERE sequence = 5'],
    [
      'changed places with another',
      2,
      'not what was written',
      'UPDATE events SET sequence = 5 - sequence WHERE sequence IN (2, 3)',
    ],
  ])('an event that %s breaks the chain at %i', async (_how, sequence, problem, harm) => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([session('a'), ...Array.from({ length: 5 }, (_, n) => event('a', `e${n}`))]);
    await ledger.close();
    const database = new DatabaseSync(path);
    database.exec('DROP INDEX events_order');
    if (typeof harm === 'string') database.exec(harm);
    else harm(database);
    database.exec('CREATE UNIQUE INDEX events_order ON events (session, sequence)');
    database.close();
    const found = { session_id: 'a', sequence, problem: expect.stringContaining(problem) };
    expect(verifySqliteFile(path)).toMatchObject({ damage: found });
  });

  test.each([
    ['a session', '{"agent_type":"codex"}', 'sessions row 1'],
    ['a message', '"content":"hello"', 'messages row 1'],
    ['the schema', 'proxy_device_id TEXT', 'the schema of sessions'],
  ])('a flipped bit of %s is named, and never returned', async (_what, words, where) => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([session('a'), send('a', 'm1')]);
    await ledger.close();
    const file = await readFile(path);
    const index = file.indexOf(words) + 4;
    file[index] = (file[index] ?? 0) ^ 0x20;
    await writeFile(path, file);
    expect(verifySqliteFile(path)).toMatchObject({ damage: { where } });
    const again = await openForTest({ path });
    const reads = await Promise.allSettled([
      again.session('a'),
      again.message('a', 'm1'),
      again.queuedMessages('proxy'),
    ]);
    const codes = reads.map((each) => each.status === 'rejected' && each.reason.code);
    expect(codes).toContain('ledger_damaged');
    if (where === 'sessions row 1') {
      await expect(again.commit([event('a', 'e1')])).rejects.toMatchObject({ code: 'ledger_damaged' });
    }
  });

  test('detects every flipped bit and cut end, wherever it is', async () => {
    const folder = await ledgerFolder();
    const path = join(folder, 'ledger.db');
    const ledger = await openForTest({ path });
    await ledger.commit([session('a'), session('b')]);
    for (let n = 0; n < 60; n += 1) {
      const to = n % 2 === 0 ? 'a' : 'b';
      await ledger.commit([send(to, `m${n}`), event(to, `e${n}`, { message_id: `m${n}` })]);
    }
    await ledger.close();
    const whole = await readFile(path);
    const contents = ledgerContents(path);
    const random = createSeededRandom(12);
    const harmed = join(folder, 'harmed.db');
    let noticed = 0;
    for (let round = 0; round < 150; round += 1) {
      await copyFile(path, harmed);
      const at = random.int(0, whole.length - 1);
      const cut = round % 10 === 0;
      const bytes = Buffer.from(cut ? whole.subarray(0, at) : whole);
      if (!cut) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
      await writeFile(harmed, bytes);
      const { damage } = verifySqliteFile(harmed);
      if (damage !== undefined) noticed += 1;
      else expect([round, at, ledgerContents(harmed)]).toEqual([round, at, contents]);
    }
    expect(noticed).toBeGreaterThan(30);
  });
});
