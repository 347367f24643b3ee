import { join } from 'node:path';
import { expect, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';

test('a backup under load is one whole snapshot of the ledger, with a new epoch', async () => {
  const folder = await ledgerFolder();
  const ledger = await openForTest({ path: join(folder, 'ledger.db') });
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

  const copy = await openForTest({ path: join(folder, 'copy.db') });
  expect(copy.epoch).not.toBe(ledger.epoch);
  expect((await copy.verify()).damage).toBeUndefined();
  const head = (await copy.session('a'))?.head ?? 0;
  expect(head % 2).toBe(0);
  expect(head).toBeGreaterThanOrEqual(atStart * 2);
  expect(await copy.queuedMessages('proxy')).toHaveLength(head / 2);
  expect(await copy.commit([event('a', 'goes on')])).toMatchObject({ results: [{ sequence: head + 1 }] });
});

test('a backup never overwrites', async () => {
  const folder = await ledgerFolder();
  const ledger = await openForTest({ path: join(folder, 'ledger.db') });
  await ledger.backup(join(folder, 'copy.db'));
  await expect(ledger.backup(join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'ledger_invalid' });
  await expect(ledger.backup(join(folder, 'ledger.db'))).rejects.toMatchObject({ code: 'ledger_invalid' });
});
