import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { session } from '@drawbridge/ledger/test/samples';
import { expect, test } from 'vitest';
import { createLocalBus } from '../core/local-bus.ts';
import type { RelayEvent } from '../core/ports.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { pushMessages } from './message-pushes.ts';

const sent = (session_id: string, sequence: number): RelayEvent => ({
  session_id,
  sequence,
  event_id: `${session_id}-${sequence}`,
  type: 'message_event',
  payload: { message: { message_id: `m${sequence}`, role: 'assistant', content: 'Hello', created_at: '' } },
  at: 1,
  message_id: `m${sequence}`,
});

test('[INT-170] reads the owner of a session from the ledger once, not for each message', async () => {
  const ledger = openMemoryLedger({ epoch: 'epoch', synced: [] });
  await ledger.commit([session('theirs'), session('ours', { proxy_device_id: BRAIN_DEVICE })]);
  const asked: string[] = [];
  const pushed: string[] = [];
  const bus = createLocalBus();
  const ours = Promise.withResolvers<void>();
  pushMessages({
    bus,
    ledger: {
      ...ledger,
      session: (session_id) => {
        asked.push(session_id);
        return ledger.session(session_id);
      },
    },
    push: (session_id) => {
      pushed.push(session_id);
      ours.resolve();
    },
    onError: (error) => ours.reject(error),
  });
  for (const sequence of [2, 3, 4]) {
    bus.publish({ kind: 'appended', session_id: 'theirs', events: [sent('theirs', sequence)] });
  }
  bus.publish({ kind: 'appended', session_id: 'ours', events: [sent('ours', 2)] });
  await ours.promise;
  expect({ asked, pushed }).toEqual({ asked: ['theirs', 'ours'], pushed: ['ours'] });

  await ledger.deleteSession('theirs');
  await ledger.commit([session('theirs', { proxy_device_id: BRAIN_DEVICE })]);
  bus.publish({ kind: 'appended', session_id: 'theirs', events: [sent('theirs', 1)] });
  await expect.poll(() => pushed).toEqual(['ours', 'theirs']);
});
