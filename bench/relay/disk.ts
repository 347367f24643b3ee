import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteLedger } from '@drawbridge/ledger';

/** Syncs per second of this disk: a small write and a sync, one after the other. */
export function syncsPerSecond(folder: string, ms: number): number {
  const file = openSync(join(folder, 'syncs'), 'w');
  const block = Buffer.alloc(4_096, 1);
  let syncs = 0;
  const began = performance.now();
  while (performance.now() - began < ms) {
    writeSync(file, block, 0, block.length, (syncs % 1_024) * block.length);
    fdatasyncSync(file);
    syncs += 1;
  }
  const perSecond = (syncs * 1_000) / (performance.now() - began);
  closeSync(file);
  return perSecond;
}

/** Accepts in one transaction, as many as the ledger commits together. */
const GROUP = 128;

/** Accepts per second of bare `node:sqlite`: the rows of a send, committed in groups, in one loop. */
export function bareAcceptsPerSecond(folder: string, ms: number): number {
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE messages (session INTEGER, id TEXT, payload TEXT, PRIMARY KEY (session, id)) WITHOUT ROWID;
    CREATE TABLE events (session INTEGER, sequence INTEGER, id TEXT, payload TEXT, PRIMARY KEY (session, sequence)) WITHOUT ROWID`);
  const message = database.prepare('INSERT INTO messages VALUES (?, ?, ?)');
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
  let accepted = 0;
  const began = performance.now();
  while (performance.now() - began < ms) {
    database.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < GROUP; n += 1) {
      const session = accepted % 100;
      const [send, said] = acceptWrites(`s${session}`, `${accepted}`);
      message.run(session, send.client_message_id, JSON.stringify(send.payload));
      event.run(session, 2 * accepted, send.event.event_id, JSON.stringify(send.event.payload));
      event.run(session, 2 * accepted + 1, said.event_id, JSON.stringify(said.payload));
      accepted += 1;
    }
    database.exec('COMMIT');
  }
  const perSecond = (accepted * 1_000) / (performance.now() - began);
  database.close();
  return perSecond;
}

/** Accepts per second of the ledger alone, without sockets or frames. */
export async function ledgerAcceptsPerSecond(folder: string, ms: number, writers: number): Promise<number> {
  const ledger = await openSqliteLedger({ path: join(folder, 'alone.db') });
  for (let n = 0; n < 100; n += 1) {
    const session_id = `s${n}`;
    await ledger.commit([{ do: 'create_session', session_id, proxy_device_id: 'p', metadata: {}, at: 1 }]);
  }
  let accepted = 0;
  const began = performance.now();
  const write = async (number: number): Promise<void> => {
    for (let n = 0; performance.now() - began < ms; n += 1) {
      await ledger.commit(acceptWrites(`s${number % 100}`, `${number}-${n}`));
      accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, number) => write(number)));
  const perSecond = (accepted * 1_000) / (performance.now() - began);
  await ledger.close();
  return perSecond;
}

/** The writes that the relay makes for one send. */
function acceptWrites(session_id: string, client_message_id: string) {
  const sent = { message_id: client_message_id, client_message_id };
  const content = 'Please run the tests again, and tell me which of them fail.';
  const created_at = '2026-01-01T00:00:00.000Z';
  return [
    {
      do: 'accept_message',
      session_id,
      client_message_id,
      device_id: 'device',
      payload: {
        type: 'send_message',
        protocol_version: 1,
        session_id,
        client_message_id,
        content,
        created_at,
      },
      identity: { content, attachments: [] },
      event: {
        event_id: `evt_${client_message_id}`,
        payload: { ...sent, status: 'accepted', accepted_at: created_at },
      },
      at: 2,
      expires_at: 1_000_000,
    },
    {
      do: 'append_event',
      session_id,
      event_id: `say_${client_message_id}`,
      type: 'message_event',
      payload: { message: { ...sent, role: 'user', content, created_at } },
      at: 2,
      message_id: client_message_id,
    },
  ] as const;
}
