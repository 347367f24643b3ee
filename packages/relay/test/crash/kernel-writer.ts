import { writeSync } from 'node:fs';
import { LedgerError } from '@drawbridge/ledger';
import { SqliteStore } from '@drawbridge/ledger/sqlite/store';
import { send, session } from '@drawbridge/ledger/test/samples';

/**
 * Fifty sends in ten commits while the kernel fails some call; prints each acknowledged id, and each code of
 * a refusal.
 */
const [path = ''] = process.argv.slice(2);
const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false });
const say = (word: string, what: string): number => writeSync(1, `${word} ${what}\n`);
const give = (ids: readonly string[]): void => {
  const outcomes = store.commitGroup(ids.map((id) => [send('a', id)]));
  for (const [index, id] of ids.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof LedgerError) say('refused', outcome.code);
    else if (outcome?.committed) say('acknowledged', id);
  }
};
for (const outcome of store.commitGroup([[session('a')]])) if (outcome instanceof LedgerError) throw outcome;
for (let at = 0; at < 50; at += 5) give(Array.from({ length: 5 }, (_, n) => `m${at + n}`));
store.close();
say('closed', path);
