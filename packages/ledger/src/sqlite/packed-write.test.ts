import { join } from 'node:path';
import { expect, test } from 'vitest';
import { event, send, session } from '../../test/samples.ts';
import { ledgerFolder, openForTest } from '../../test/sqlite/sqlite-harness.ts';
import { packWrites } from './packed-write.ts';

const sent = event('a', 'e1', { message_id: 'm1' });
const forward = { do: 'forward_message', session_id: 'a', client_message_id: 'm1' } as const;

test('counts a send that is forwarded in its accepting transaction once, and once more when it is forwarded again', async () => {
  const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
  await ledger.commit([session('a')]);
  const left = await ledger.commit([send('a', 'm1'), sent, forward]);
  expect(left).toMatchObject({
    committed: true,
    results: [{ sequence: 1 }, { sequence: 2 }, { attempt: 1 }],
  });
  expect(await ledger.message('a', 'm1')).toMatchObject({ state: 'accepted', attempt: 1 });
  expect(await ledger.commit([send('a', 'm1'), sent, forward])).toMatchObject({
    committed: false,
    at: 0,
    refusal: { reason: 'message_repeated', message: { attempt: 1 } },
  });
  expect(await ledger.commit([forward])).toMatchObject({ results: [{ attempt: 2 }] });
  expect(await ledger.verify()).toEqual({ sessions: 1, events: 2 });
});

test('merges the forward count only into the acceptance of the same send', () => {
  const kinds = (...writes: Parameters<typeof packWrites>[0]) => packWrites(writes).map((each) => each.do);
  const other = { ...forward, client_message_id: 'm2' };
  expect(kinds(send('a', 'm1'), sent, forward)).toEqual(['accept_message', 'append_event', 'forwarded']);
  expect(kinds(send('a', 'm1'), sent, other)).toEqual(['accept_message', 'append_event', 'forward_message']);
  expect(kinds(forward)).toEqual(['forward_message']);
});
