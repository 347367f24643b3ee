import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder } from '../../test/sqlite/sqlite-harness.ts';
import { SqliteStore } from './store.ts';
import { verifySqliteFile } from './verification.ts';

async function openStore() {
  const path = join(await ledgerFolder(), 'ledger.db');
  const open = (): SqliteStore => {
    const store = new SqliteStore({ path, maxBytes: 1e9, newEpoch: false });
    onTestFinished(() => store.close());
    return store;
  };
  const store = open();
  store.commitGroup([[session('a')]]);
  return { path, store, open };
}

interface Said {
  readonly sequence: number;
  readonly message_id: string | null;
}

test('[CHT-164] [CHT-177] a transcript and its latest messages are the same by links as by a scan of all events', async () => {
  const { path, open, ...first } = await openStore();
  let store = first.store;
  const random = createSeededRandom(7);
  let sent: Said[] = [];
  let head = 0;
  const say = (message_id: string | null): void => {
    head += 1;
    sent.push({ sequence: head, message_id });
  };
  /** This many transactions, some in one group. */
  const write = (round: number): void => {
    const group = Array.from({ length: random.int(1, 6) }, (_, n) => {
      const id = `${round}-${n}`;
      const kind = random.int(0, 3);
      if (kind === 0) {
        say(null);
        return [event('a', id)];
      }
      if (kind === 1) {
        say(null);
        say(`m${id}`);
        return [send('a', `m${id}`), event('a', id, { message_id: `m${id}` })];
      }
      const known = sent.filter(({ message_id }) => message_id !== null);
      const changed = random.int(0, 1) === 0 ? undefined : known[random.int(0, known.length - 1)];
      const message_id = changed?.message_id ?? `p${id}`;
      say(message_id);
      return [event('a', id, { message_id })];
    });
    store.commitGroup(group);
  };
  const check = (): void => {
    const transcript = sent.filter(({ message_id }) => message_id !== null);
    for (const before of [1, random.int(1, head), head, head + 1, Number.MAX_SAFE_INTEGER]) {
      for (const limit of [0, 1, 3, 1_000]) {
        const wanted = transcript
          .filter(({ sequence }) => sequence < before)
          .slice(limit === 0 ? head : -limit);
        const page = store.reads.transcriptBefore('a', before, limit);
        expect(page?.events.map(({ sequence, message_id }) => ({ sequence, message_id }))).toEqual(wanted);
      }
    }
    for (const { message_id } of transcript) {
      const latest = transcript.findLast((each) => each.message_id === message_id);
      expect(store.reads.latestOfMessage('a', message_id ?? '')?.sequence).toBe(latest?.sequence);
    }
  };
  for (let round = 0; round < 40; round += 1) {
    write(round);
    if (round % 4 === 0) check();
    if (round % 10 === 9) {
      const through = random.int(1, round === 29 ? head : Math.floor(head / 2));
      store.commitGroup([[{ do: 'prune_events', session_id: 'a', through, limit: 10_000 }]]);
      sent = sent.filter(({ sequence }) => sequence > through);
      check();
    }
    if (round % 15 === 14) {
      store.close();
      store = open();
    }
  }
  check();
  store.close();
  expect(verifySqliteFile(path)).toEqual({ sessions: 1, events: sent.length });
});

test.each([
  ['leads past an event of the transcript', 'UPDATE events SET said = 2 WHERE sequence = 6', 6],
  ['follows no send', 'UPDATE events SET of_send = 1 WHERE sequence = 6', 6],
])('names an event that %s', async (_what, harm, sequence) => {
  const { path, store } = await openStore();
  for (const id of ['m1', 'm2']) store.commitGroup([[send('a', id), event('a', id, { message_id: id })]]);
  store.commitGroup([[event('a', 'e5'), event('a', 'e6', { message_id: 'm3' })]]);
  store.close();
  const database = new DatabaseSync(path);
  database.exec(harm);
  database.close();
  expect(verifySqliteFile(path)).toMatchObject({ damage: { session_id: 'a', sequence } });
});

test('reports damage for a transcript that leads to no message, or in a circle', async () => {
  const { path, store, open } = await openStore();
  store.commitGroup([[send('a', 'm1'), event('a', 'e2', { message_id: 'm1' }), event('a', 'e3')]]);
  store.close();
  for (const sent of [1, 3, 99]) {
    const database = new DatabaseSync(path);
    database.prepare('UPDATE events SET said = ? WHERE sequence = 3').run(sent);
    database.close();
    const harmed = open();
    expect(() => harmed.reads.transcriptBefore('a', 99, 9)).toThrow('damaged');
    harmed.close();
  }
});

test('does not overwrite a session’s row that another program changed', async () => {
  const { path, store } = await openStore();
  store.commitGroup([[event('a', 'e1')]]);
  const database = new DatabaseSync(path);
  database.function('row_check', { deterministic: true, varargs: true }, () => 1);
  database.exec(`UPDATE sessions SET metadata = '{"agent_type":"other"}'`);
  database.close();
  expect(store.commitGroup([[event('a', 'e2')]])).toMatchObject([{ code: 'ledger_damaged' }]);
  expect(() => store.reads.session('a')).toThrow('damaged');
});
