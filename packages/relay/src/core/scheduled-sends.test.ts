import { type Ledger, LedgerError } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { expect, test } from 'vitest';
import { createCoreHarness, person } from '../../test/core/core-harness.ts';

test('[CHT-341] a session that ends while a cancellation cannot be stored fails its message', async () => {
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  const failed = Promise.withResolvers<never>();
  let armed = true;
  const commit: Ledger['commit'] = (writes) => {
    const drops = writes.some((write) => write.do === 'put_setting' && write.value === null);
    if (!drops || !armed) return ledger.commit(writes);
    armed = false;
    return failed.promise;
  };
  const { core, proxy, browser } = await createCoreHarness({ ledger: { ...ledger, commit } });
  const laptop = await proxy();
  const phone = await browser('phone', { features: ['scheduled_sends'] });
  const wanted = { session_id: 's1', content: 'Next.', trigger_kind: 'idle' } as const;
  const job = await core.scheduledSends.schedule(person(), wanted);
  if (typeof job === 'string') throw new Error(job);
  const cancelled = core.scheduledSends.cancel('phone', job.id);
  laptop.send({ type: 'session_closed', session_id: 's1' });
  await phone.next('session_closed');
  failed.reject(new LedgerError('ledger_io', 'The disk did not take it.'));
  await expect(cancelled).rejects.toThrow('The disk');
  expect(phone.of('scheduled_send_status').at(-1)?.scheduled_send).toMatchObject({
    ...{ id: job.id, state: 'failed', error: { code: 'session_unknown' } },
  });
  expect(core.scheduledSends.list('phone')).toEqual([]);
});
