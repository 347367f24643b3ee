import { join } from 'node:path';
import { type Ledger, LedgerError } from '@drawbridge/ledger';
import { ledgerFolder, openForTest } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { expect, test } from 'vitest';
import { createCoreHarness, sendOf } from '../../test/core/core-harness.ts';

/** A ledger whose next session end waits, and then fails. */
async function ledgerThatKeepsOpen() {
  const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
  const reached = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  let armed = true;
  const commit: Ledger['commit'] = (writes) => {
    const ends = writes.some((write) => write.do === 'append_event' && write.type === 'session_closed');
    if (!ends || !armed) return ledger.commit(writes);
    armed = false;
    reached.resolve();
    return failed.promise;
  };
  const fail = () => failed.reject(new LedgerError('ledger_io', 'The disk did not take it.'));
  return { ledger: { ...ledger, commit }, reached: reached.promise, fail };
}

test('[CHT-200] [CHT-263] shows a session whose end cannot be stored to everyone who connects', async () => {
  const { ledger, reached, fail } = await ledgerThatKeepsOpen();
  const { proxy, browser } = await createCoreHarness({ ledger });
  const laptop = await proxy();
  laptop.send({ type: 'session_closed', session_id: 's1' });
  await reached;
  const phone = await browser();
  expect(phone.of('session_snapshot')[0]?.sessions).toMatchObject([{ session_id: 's1' }]);
  fail();
  await laptop.next('connection_error');
  await laptop.settled();
  phone.send(sendOf('m1'));
  expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'm1' });
});

test('[CHT-119] [CHT-156] a proxy that leaves while its session cannot be closed leaves it disconnected, and sends wait', async () => {
  const { ledger, reached, fail } = await ledgerThatKeepsOpen();
  const { proxy, browser } = await createCoreHarness({ ledger });
  const phone = await browser();
  const laptop = await proxy();
  laptop.send({ type: 'session_closed', session_id: 's1' });
  await reached;
  laptop.hangUp();
  fail();
  await phone.next('session_down');
  phone.send(sendOf('m1'));
  await phone.next('message_accepted');
  const again = await proxy();
  expect(await again.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 1 });
});
