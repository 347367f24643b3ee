import { openSync, writeSync } from 'node:fs';
import { openSqliteLedger } from '../../src/sqlite/sqlite-ledger.ts';
import { send, session } from '../samples.ts';

/**
 * Several concurrent writers until killed. Each acknowledgement is a line in the log, and a byte to the
 * parent.
 */
const [path = '', log = '', round = ''] = process.argv.slice(2);
const ledger = await openSqliteLedger({ path });
const descriptor = openSync(log, 'a');
for (const each of ['s0', 's1', 's2']) await ledger.commit([session(each)]);

const writer = async (number: number): Promise<never> => {
  for (let n = 0; ; n += 1) {
    const session_id = `s${(number + n) % 3}`;
    const id = `${round}-${number}-${n}`;
    const write = send(session_id, id);
    const outcome = await ledger.commit([write]);
    if (!outcome.committed) throw new Error(outcome.refusal.reason);
    const [{ sequence }] = outcome.results;
    const { event_id } = write.event;
    writeSync(descriptor, `${JSON.stringify({ session_id, id, sequence, event_id })}\n`);
    process.stdout.write('.');
  }
};
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(writer));
