import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { event, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { searchFile } from './search-index.ts';

const said = (id: string, content: string) =>
  event(id, `${id}-said`, { message_id: 'm1', payload: { message: { content } } });

test('words of deleted messages and of secrets are not in the index file', async () => {
  const path = join(await ledgerFolder(), 'ledger.db');
  const ledger = await openForTest({ path });
  await ledger.commit([
    session('a'),
    session('b'),
    said('a', 'an unmistakableword here'),
    said('b', 'OPENAI_API_KEY=sk-proj-abcdefghijklmnop'),
  ]);
  expect((await ledger.search({ words: ['unmistakableword'], limit: 9 })).hits).toHaveLength(1);
  const holds = (word: string) => readFileSync(searchFile(path), 'latin1').includes(word);
  expect([holds('unmistakableword'), holds('abcdefghijklmnop')]).toEqual([true, false]);
  await ledger.deleteSession('a');
  expect(holds('unmistakableword')).toBe(false);
});

test('makes a damaged or foreign index again', async () => {
  const path = join(await ledgerFolder(), 'ledger.db');
  const ledger = await openForTest({ path });
  await ledger.commit([session('a'), said('a', 'still found')]);
  const found = async () => (await ledger.search({ words: ['found'], limit: 9 })).hits.length;
  expect(await found()).toBe(1);
  writeFileSync(searchFile(path), 'no database'.repeat(1_000));
  expect(await found()).toBe(1);
});
