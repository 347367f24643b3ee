import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { event, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { migrate } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { addRowCheck } from './row-check.ts';
import { createSql } from './sql.ts';
import type { RewriteProgress } from './store-port.ts';

/** A file of the version before, whose pages cannot be returned. */
function oldFile(path: string): void {
  const database = new DatabaseSync(path);
  addRowCheck(database);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, createSql(database), MIGRATIONS.slice(0, 4));
  database.close();
}

test.each(['new', 'upgraded'])(
  'the file of a %s ledger shrinks after most events are pruned',
  async (kind) => {
    const path = join(await ledgerFolder(), 'ledger.db');
    const rewrites: RewriteProgress[] = [];
    if (kind === 'upgraded') oldFile(path);
    const ledger = await openForTest({ path, onRewrite: (progress) => rewrites.push(progress) });
    expect(rewrites.length > 0).toBe(kind === 'upgraded');
    const payload = { text: 'x'.repeat(9_000) };
    await ledger.commit([
      session('a'),
      ...Array.from({ length: 900 }, (_, n) => event('a', `e${n}`, { payload })),
    ]);
    await ledger.commit([event('a', 'last')]);
    await ledger.commit([{ do: 'prune_events', session_id: 'a', through: 880, limit: 900 }]);
    const before = statSync(path).size;
    expect(before).toBeGreaterThan(900 * 9_000);
    let steps = 0;
    while (await ledger.returnSpace()) steps += 1;
    expect(steps).toBeGreaterThan(10);
    await ledger.close();
    expect(statSync(path).size).toBeLessThan(before / 4);
    const again = await openForTest({ path });
    expect(await again.verify()).toEqual({ sessions: 1, events: 21 });
  },
);
