import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * A separate program that shares no code with the ledger: reads the log of acknowledgements and the file, and
 * prints every violation.
 */
const [path = '', log = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
const problems: string[] = [];
const events = new Map<string, unknown>();

for (const { session, session_id, head } of database.prepare('SELECT * FROM sessions').all()) {
  let before = '0'.repeat(64);
  let expected = 1;
  for (const row of database
    .prepare('SELECT * FROM events WHERE session = ? ORDER BY sequence')
    .all(session ?? 0)) {
    if (row['sequence'] !== expected)
      problems.push(`${session_id}: ${row['sequence']} stands where ${expected} should`);
    const covered = [
      before,
      session_id,
      expected,
      row['event_id'],
      row['type'],
      row['at'],
      row['message_id'],
      row['payload'],
    ];
    before = createHash('sha256').update(JSON.stringify(covered)).digest('hex');
    const stored = row['hash'];
    if (!(stored instanceof Uint8Array) || Buffer.from(stored).toString('hex') !== before) {
      problems.push(`${session_id}: the chain breaks at ${expected}`);
    }
    events.set(`${session_id} ${expected}`, row['event_id']);
    expected += 1;
  }
  if (head !== expected - 1) problems.push(`${session_id}: head ${head}, last event ${expected - 1}`);
}

const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
const find = database.prepare(
  'SELECT sequence FROM messages JOIN sessions USING (session) WHERE session_id = ? AND client_message_id = ?',
);
for (const line of lines) {
  const { session_id, id, sequence, event_id } = JSON.parse(line);
  if (events.get(`${session_id} ${sequence}`) !== event_id) problems.push(`${line}: the event is not there`);
  if (find.get(session_id, id)?.['sequence'] !== sequence) problems.push(`${line}: the message is not there`);
}
database.close();
process.stdout.write(JSON.stringify({ acknowledged: lines.length, problems: problems.slice(0, 10) }));
