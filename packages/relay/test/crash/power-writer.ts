import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createCheckpointer } from '@drawbridge/ledger/sqlite/checkpointer';
import { SqliteStore } from '@drawbridge/ledger/sqlite/store';
import { send, session } from '@drawbridge/ledger/test/samples';

/**
 * A new ledger with continuous checkpoints, closed and opened again in between; prints each acknowledgement
 * on a line.
 */
const [path = '', commits = '0'] = process.argv.slice(2);
const half = Number(commits) / 2;
for (const part of [0, 1]) {
  const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false });
  const checkpointer = createCheckpointer(path);
  if (part === 0) store.commitGroup([[session('a')]]);
  for (let number = part * half; number < (part + 1) * half; number += 1) {
    if (number % 3 === 0) checkpointer.begin();
    const ids = number % 3 === 0 ? [`${number}`, `${number}-too`] : [`${number}`];
    for (const outcome of store.commitGroup(ids.map((id) => [send('a', id)]))) {
      if (!('committed' in outcome) || !outcome.committed) throw new Error(`${number} was not taken`);
    }
    writeSync(1, `acknowledged ${ids.join(' ')}\n`);
    // Starts beside a commit, and is done before the next checkpoint.
    if (number % 3 === 2) while (!checkpointer.isThrough()) await setTimeout(1);
  }
  checkpointer.close();
  store.close();
}
