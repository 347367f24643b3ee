import { createInterface } from 'node:readline';
import { openSqliteLedger } from '../../src/sqlite/sqlite-ledger.ts';
import { event, session } from '../samples.ts';

/**
 * A separate program, so that a test can take its disk away: for each number it reads, it makes that many
 * commits.
 */
const ledger = await openSqliteLedger({ path: process.argv[2] ?? '' });
await ledger.commit([session('a')]);
let made = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const codes = new Set<string>();
  let acknowledged = 0;
  for (let n = 0; n < Number(line); n += 1) {
    made += 1;
    try {
      await ledger.commit([event('a', `e${made}`, { payload: { text: 'x'.repeat(3_000) } })]);
      acknowledged += 1;
    } catch (error) {
      codes.add(error instanceof Error && 'code' in error ? String(error.code) : String(error));
    }
  }
  process.stdout.write(`${JSON.stringify({ acknowledged, codes: [...codes] })}\n`);
}
await ledger.close();
