import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/**
 * A separate program that shares no code with the relay: reads the clients' logs and the ledger file, and
 * prints every violation.
 */
const [logs = '', ledger = ''] = process.argv.slice(2);
const problems: string[] = [];
const wrong = (problem: string): void => void problems.push(problem);
const OUTCOMES = ['message_delivered', 'message_failed'];

const database = new DatabaseSync(ledger, { readOnly: true });
/** Read row by row: the payloads of a long run do not fit into memory. */
const eventRows = database
  .prepare(
    'SELECT session_id, head, sequence, event_id, type, payload FROM sessions JOIN events USING (session) ORDER BY session, sequence',
  )
  .iterate();
const messageRows = database
  .prepare(
    'SELECT session_id, client_message_id, state, attempt, sequence, event_id, error FROM messages JOIN sessions USING (session)',
  )
  .iterate();
const integrity = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
if (integrity !== 'ok') wrong(`the file: ${integrity}`);

const key = (...parts: unknown[]): string => parts.join(' ');
const stored = new Map<string, unknown>();
const counts = new Map<string, number>();
const count = (what: string): number => {
  const now = (counts.get(what) ?? 0) + 1;
  counts.set(what, now);
  return now;
};

let session: unknown;
let expected = 1;
let events = 0;
const heads = new Map<unknown, unknown>();
for (const { session_id, head, sequence, event_id, type, payload } of eventRows) {
  events += 1;
  if (session_id !== session) expected = 1;
  session = session_id;
  if (sequence !== expected)
    wrong(`gap or repeat in ${session_id}: ${sequence} stands where ${expected} should`);
  expected = Number(sequence) + 1;
  heads.set(session_id, head);
  stored.set(key(session_id, sequence), key(event_id, type));
  const { client_message_id: sent, message } = JSON.parse(String(payload));
  const id = sent ?? message?.client_message_id;
  const kind = OUTCOMES.includes(String(type)) ? 'outcome' : type;
  if (id !== undefined && count(key(kind, session_id, id)) > 1) wrong(`duplicate: ${kind} of ${id}`);
  if (kind === 'outcome' && counts.get(key('message_accepted', session_id, id)) !== 1) {
    wrong(`state: ${id} ends before it is accepted`);
  }
  if (expected - 1 > Number(head)) wrong(`gap or repeat in ${session_id}: an event after the head ${head}`);
}
for (const [session_id, head] of heads) {
  if (!stored.has(key(session_id, head)))
    wrong(`gap or repeat in ${session_id}: the head ${head} has no event`);
}

const messages = new Map<string, Record<string, SQLOutputValue>>();
const states: unknown[] = [];
for (const row of messageRows) {
  const { session_id, client_message_id: id, state, sequence, event_id } = row;
  if (messages.has(key(session_id, id))) wrong(`duplicate: the message ${id}`);
  messages.set(key(session_id, id), row);
  states.push(state === 'failed' && String(row['error']).includes('delivery_unknown') ? 'unknown' : state);
  if (state === 'accepted') wrong(`swallowed: ${id} has no outcome`);
  if (!counts.has(key('outcome', session_id, id))) wrong(`state: ${id} has no event of its outcome`);
  if (!counts.has(key('message_event', session_id, id))) wrong(`lost: ${id} is not in the transcript`);
  if (stored.get(key(session_id, sequence)) !== key(event_id, 'message_accepted'))
    wrong(`lost: the acceptance of ${id}`);
}
database.close();

let accepted = 0;
let injected = 0;
let repeated = 0;
/** By session: the sequence of the acceptance that was injected last. */
const lastInjected = new Map<unknown, number>();
for (const file of readdirSync(logs)) checkLog(file);
for (const [name, { session_id, client_message_id: id, state, error }] of messages) {
  const done = counts.get(key('injected', name)) ?? 0;
  if (state === 'delivered' && done === 0) wrong(`swallowed: ${id} is delivered, and was never injected`);
  const code = error === null ? undefined : JSON.parse(String(error)).code;
  if (state === 'failed' && code !== 'delivery_unknown' && code !== 'send_injection_failed') {
    wrong(`state: ${session_id} ${id} failed with ${code}`);
  }
  if (code === 'send_injection_failed' && done > 0) wrong(`injection: ${id} failed, and was injected`);
}
const problemsOf = (kind: RegExp): number => problems.filter((problem) => kind.test(problem)).length;
process.stdout.write(
  JSON.stringify({
    ...{ accepted, injected, repeated, events },
    delivered: states.filter((state) => state === 'delivered').length,
    unknown: states.filter((state) => state === 'unknown').length,
    lost: problemsOf(/^(lost|state)/),
    doubled: problemsOf(/^duplicate/),
    reordered: problemsOf(/^reordered/),
    swallowed: problemsOf(/^swallowed/),
    problems: problems.slice(0, 50),
  }),
);

function checkLog(file: string): void {
  const sent = new Set<string>();
  const known = new Set<string>();
  const ended = new Set<string>();
  let latest = 0;
  let epoch: string | undefined;
  for (const line of readFileSync(join(logs, file), 'utf8').split('\n')) {
    if (line === '') continue;
    const {
      did,
      session_id,
      id,
      sequence,
      event_id,
      type,
      from,
      after,
      attempt,
      before,
      epoch: told,
      frame,
    } = JSON.parse(line);
    const name = key(session_id, id);
    if (did === 'begin') latest = after;
    if (did === 'send') sent.add(name);
    if (did === 'wonder') wrong(`${file} got ${JSON.stringify(frame)}`);
    if (did === 'connect') {
      epoch ??= told;
      if (epoch !== told) wrong(`${file}: the epoch changed`);
      if (from !== latest) wrong(`${file}: went on from ${from} after ${latest}`);
    }
    if (did === 'accepted') {
      accepted += 1;
      known.add(name);
      const row = messages.get(name);
      if (row === undefined) wrong(`lost: ${id} was accepted`);
      else if (row['sequence'] !== sequence || row['event_id'] !== event_id)
        wrong(`lost: ${id} was accepted as ${sequence}`);
    }
    if (did === 'see') {
      if (sequence !== latest + 1) wrong(`gap or repeat: ${file} saw ${sequence} after ${latest}`);
      latest = sequence;
      if (stored.get(key(session_id, sequence)) !== key(event_id, type))
        wrong(`lost: ${file} saw ${type} ${sequence}`);
      if (ended.has(name) && id !== undefined) wrong(`state: ${file} saw ${type} of ${id} after its outcome`);
      if (OUTCOMES.includes(type)) ended.add(name);
    }
    if (did === 'inject') {
      injected += 1;
      const row = messages.get(name);
      if (row === undefined) wrong(`injection: ${id} was never accepted`);
      const accepted_as = Number(row?.['sequence'] ?? 0);
      const last = lastInjected.get(session_id) ?? 0;
      if (accepted_as < last) wrong(`reordered: ${id} of ${accepted_as} was injected after ${last}`);
      lastInjected.set(session_id, Math.max(last, accepted_as));
      if (count(key('injected', name)) > 1) wrong(`duplicate: ${id} was injected for the second time`);
    }
    if (did === 'repeat') {
      repeated += 1;
      if (!(attempt > before)) wrong(`duplicate: ${id} was forwarded as attempt ${attempt} after ${before}`);
    }
  }
  for (const name of sent) {
    if (!known.has(name)) wrong(`swallowed: ${file} was never told of ${name}`);
    if (!ended.has(name)) wrong(`swallowed: ${file} saw no outcome of ${name}`);
  }
}
