import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteLedger } from '@drawbridge/ledger';
import { startPostgres } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';
import { ledgerCheck } from '../doctor/folder-checks.ts';
import { locationWords } from './ledger-location.ts';

/** A data folder with a short conversation. */
async function folderWithLedger(): Promise<string> {
  const folder = temporaryFolder();
  const ledger = await openSqliteLedger({ path: join(folder, 'ledger.db') });
  const said = { do: 'append_event', session_id: 's', type: 'message_event', payload: {}, at: 2 } as const;
  await ledger.commit([
    { do: 'create_session', session_id: 's', proxy_device_id: 'p', metadata: {}, at: 1 },
    { ...said, event_id: 'e1' },
    { ...said, event_id: 'e2' },
  ]);
  await ledger.close();
  return folder;
}

test('copies a ledger to a database and back, and verifies each', async () => {
  const folder = await folderWithLedger();
  await using server = await startPostgres();
  const shown = locationWords(server.url);
  const there = await drawbridge(['ledger', 'copy', '--from', folder, '--to', server.url]);
  expect(there).toMatchObject({ code: 0, errors: '' });
  expect(there.text).toContain(
    `${shown} has it all: 1 session, 2 events, 0 messages, 0 devices; 3 rows in all.`,
  );
  expect(there.text).toContain(`${join(folder, 'ledger.db')} is as it was.`);
  expect(await drawbridge(['ledger', 'verify', server.url])).toMatchObject({
    code: 0,
    text: `${shown} is whole: 1 session, 2 events.`,
  });

  const again = await drawbridge(['ledger', 'copy', '--from', folder, '--to', server.url]);
  expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('not empty (sessions)') });

  const back = join(folder, 'back.db');
  const json = await drawbridge(['ledger', 'copy', '--from', server.url, '--to', back, '--json']);
  expect(JSON.parse(json.text)).toMatchObject({ from: shown, to: back, rows: { sessions: 1, events: 2 } });
  expect(await drawbridge(['ledger', 'verify', back])).toMatchObject({ code: 0 });
});

test('names a broken ledger, and does not copy it', async () => {
  const folder = await folderWithLedger();
  const database = new DatabaseSync(join(folder, 'ledger.db'));
  database.exec('UPDATE events SET payload = \'{"changed":true}\' WHERE sequence = 2');
  database.close();
  const expected = { code: 1, errors: expect.stringContaining('event 2 of session s') };
  expect(await drawbridge(['ledger', 'verify', folder])).toMatchObject(expected);
  const to = join(folder, 'copy.db');
  expect(await drawbridge(['ledger', 'copy', '--from', folder, '--to', to])).toMatchObject(expected);
  expect(existsSync(to)).toBe(false);
});

/** The files of a killed relay, in a new folder. */
async function killedFolder(): Promise<string> {
  const folder = await folderWithLedger();
  const ledger = await openSqliteLedger({ path: join(folder, 'ledger.db') });
  for (let n = 3; n < 9; n += 1)
    await ledger.commit([
      { do: 'append_event', session_id: 's', type: 'message_event', payload: {}, at: 2, event_id: `e${n}` },
    ]);
  const killed = temporaryFolder();
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db.mark'])
    copyFileSync(join(folder, name), join(killed, name));
  await ledger.close();
  return killed;
}

test.each([
  ['without its WAL', (folder: string) => rmSync(join(folder, 'ledger.db-wal')), '5 acknowledged commits'],
  [
    'without its WAL and its mark',
    (folder: string) => ['-wal', '.mark'].forEach((end) => void rmSync(join(folder, `ledger.db${end}`))),
    'the file that counts them is gone',
  ],
])(
  'a ledger %s: the relay refuses it, verify and doctor report it, and repair starts a new epoch',
  async (_how, harm, losses) => {
    const folder = await killedFolder();
    harm(folder);
    const path = join(folder, 'ledger.db');
    await expect(openSqliteLedger({ path })).rejects.toMatchObject({
      code: 'ledger_behind',
      message: expect.stringContaining('drawbridge ledger repair'),
    });
    const advice = expect.stringContaining('drawbridge ledger repair');
    expect(await drawbridge(['ledger', 'verify', folder])).toMatchObject({ code: 1, errors: advice });
    expect(await ledgerCheck(folder)).toMatchObject({ status: 'bad', fix: advice });
    const repaired = await drawbridge(['ledger', 'repair', folder]);
    expect(repaired).toMatchObject({
      code: 0,
      text: expect.stringContaining('is whole again: 1 session, 3 events'),
    });
    expect(repaired.text).toContain(losses);
    expect(await drawbridge(['ledger', 'verify', folder])).toMatchObject({ code: 0 });
    expect(await drawbridge(['ledger', 'repair', folder])).toMatchObject({
      text: expect.stringContaining('Nothing was changed'),
    });
    const ledger = await openSqliteLedger({ path });
    expect((await ledger.auditBefore(99, 1))[0]).toMatchObject({ action: 'ledger_repaired' });
    await ledger.close();
  },
);

test('wrong arguments get an error with advice', async () => {
  const said = async (...args: string[]) => {
    const { code, errors } = await drawbridge(['ledger', ...args]);
    return `${code} ${errors.split('\n')[0]}`;
  };
  expect(await said('copy', '--to', 'x')).toMatch(/^2 --from is missing/);
  expect(await said('copy', '--from', 'x', '--to', 'x')).toMatch(/^2 --from and --to are the same/);
  expect(await said('copy', '--from', 'x', '--to', 'mysql://x/y')).toMatch(
    /^2 --to takes a file, a folder or/,
  );
  expect(await said('copy', 'x')).toMatch(/^2 Unexpected argument "x"/);
  expect(await said('copy', '--from', '/nowhere/x', '--to', 'y')).toMatch(
    /^1 There is no ledger at \/nowhere\/x/,
  );
  expect(await said('verify', '/nowhere/x')).toMatch(/^1 There is no ledger at/);
  expect(await said('repair', '/nowhere/x')).toMatch(/^1 There is no ledger at/);
  expect(await said('repair', 'postgres://db/x')).toMatch(/^2 Only a ledger in a file can be repaired/);
});

test('hides the user and options of a URL', async () => {
  const url = 'postgres://hidden@127.0.0.1:1/db?application_name=hidden';
  expect(locationWords(url)).toBe('postgres://127.0.0.1:1/db');
  const folder = await folderWithLedger();
  const { code, text, errors } = await drawbridge(['ledger', 'copy', '--from', folder, '--to', url]);
  expect(code).toBe(1);
  expect(errors).toContain('The database cannot be reached');
  expect(text + errors).not.toContain('hidden');
});

test('checks the ledger of this machine by default', async () => {
  vi.stubEnv('DRAWBRIDGE_HOME', await folderWithLedger());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, text } = await drawbridge(['ledger', 'verify']);
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('is whole: 1 session') });
});

test('all are in the overview', async () => {
  const { text } = await drawbridge(['ledger', '--help']);
  expect(text).toMatch(/ledger copy .*\n.*ledger verify .*\n.*ledger repair/);
});
