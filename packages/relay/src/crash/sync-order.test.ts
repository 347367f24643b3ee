import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDeferred } from '@drawbridge/base';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../test/crash/crash-proxy.ts';
import { openWire } from '../../test/crash/crash-wire.ts';
import { createRelayLives } from '../../test/crash/relay-lives.ts';
import { CAN_TRACE, type Call, callsOf } from '../../test/crash/strace.ts';

const SENDS = Number(process.env['DRAWBRIDGE_TRACED_SENDS'] ?? 20);
const SYNCS: readonly string[] = ['fsync', 'fdatasync'];
const WAL = /^\w+\(\d+<[^>]*ledger\.db-wal>/;

/** For each acknowledged message: true when the WAL was synced between its row and its acknowledgement. */
function acknowledgements(calls: readonly Call[], ids: readonly string[]) {
  const syncs = calls.filter(({ name, text }) => SYNCS.includes(name) && WAL.test(text));
  const rows = calls.filter(({ name, text }) => name === 'pwrite64' && WAL.test(text));
  const frames = calls.filter(
    ({ text }) => text.includes('message_accepted') && /^\w+\(\d+<(TCP|socket)/.test(text),
  );
  return ids.map((id) => {
    const row = rows.find(({ text }) => text.includes(`${id}!`));
    const frame = frames.find(({ text }) => text.includes(`${id}!`));
    if (row === undefined || frame === undefined) return { id, found: false, synced: false };
    const synced = syncs.some(({ began, ended }) => began > row.ended && ended < frame.began);
    return { id, found: true, synced };
  });
}

test('detects an acknowledgement that is sent while the sync is under way', () => {
  const trace = (frameAt: 'early' | 'late') => [
    '7 pwrite64(24</d/ledger.db-wal>, "…m1!…", 4096, 0) = 4096',
    '7 fsync(24</d/ledger.db-wal> <unfinished ...>',
    ...(frameAt === 'early' ? ['6 writev(30<TCP:[1]>, [{"message_accepted m1!"}], 1) = 9'] : []),
    '7 <... fsync resumed>) = 0',
    ...(frameAt === 'late' ? ['6 writev(30<TCP:[1]>, [{"message_accepted m1!"}], 1) = 9'] : []),
  ];
  expect(acknowledgements(callsOf(trace('early')), ['m1'])).toEqual([
    { id: 'm1', found: true, synced: false },
  ]);
  expect(acknowledgements(callsOf(trace('late')), ['m1'])).toEqual([{ id: 'm1', found: true, synced: true }]);
});

test.runIf(CAN_TRACE)(
  '[CHT-137] sends no message_accepted before the sync that follows its row',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drawbridge-sync-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const trace = join(folder, 'trace');
    const watched = 'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg';
    const lives = createRelayLives(folder, {
      under: ['strace', '-f', '-qq', '-y', '-s', '8192', '-e', watched, '-o', trace],
      spare: false,
    });
    onTestFinished(lives.close);
    const [proxyToken = '', token = ''] = await lives.begin([
      { role: 'proxy', scopes: [] },
      { role: 'person', scopes: [] },
    ]);
    const proxy = startProxy(lives, { token: proxyToken, session_ids: ['s'], log: () => {} });
    await proxy.announced;
    const ids = Array.from({ length: SENDS }, (_, number) => `send-${number}`);
    const accepted = createDeferred();
    const left = new Set(ids.map((id) => `${id}!`));
    const wire = openWire(lives, token, {
      onOpen: (say) => say({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' }),
      onFrame: ({ type, client_message_id = '' }, say) => {
        if (type === 'session_snapshot') {
          for (const id of left) {
            say({
              type: 'send_message',
              session_id: 's',
              client_message_id: id,
              content: id,
              created_at: '2026-01-01T00:00:00.000Z',
            });
          }
        } else if (type === 'message_accepted' && left.delete(client_message_id) && left.size === 0)
          accepted.resolve();
      },
    });
    await accepted.promise;
    proxy.close();
    wire.close();
    await lives.stop();
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(trace, 'latin1') })) lines.push(line);
    const seen = acknowledgements(callsOf(lines), ids);
    expect(seen.filter(({ found, synced }) => !(found && synced))).toEqual([]);
  },
  240_000 + SENDS * 100,
);
