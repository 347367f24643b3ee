import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { session } from '@drawbridge/ledger/test/samples';
import { expect, test } from 'vitest';
import { createCoreHarness } from '../../test/core/core-harness.ts';
import type { RelayEvent } from '../core/ports.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';
import { pushMessages } from './message-pushes.ts';

const sent = (session_id: string, sequence: number, role: string): RelayEvent => ({
  session_id,
  sequence,
  event_id: `${session_id}-${sequence}`,
  type: 'message_event',
  payload: { message: { message_id: `m${sequence}`, role, content: 'Hello', created_at: '' } },
  at: 1,
  message_id: `m${sequence}`,
});

test('[INT-170] pushes messages of our agent’s sessions, from any sender, and no others', async () => {
  const ledger = openMemoryLedger({ epoch: 'epoch', synced: [] });
  await ledger.commit([session('theirs'), session('ours', { proxy_device_id: BRAIN_DEVICE })]);
  const { core } = await createCoreHarness({ ledger });
  const pushed: string[] = [];
  const stop = pushMessages({
    ...{ core, ledger },
    push: (session_id) => pushed.push(session_id),
    onError: (error) => expect.unreachable(String(error)),
  });
  // The start has stored session_down as the first event of each.
  core.appended('theirs', [sent('theirs', 2, 'assistant')]);
  core.appended('ours', [sent('ours', 2, 'assistant'), sent('ours', 3, 'user')]);
  await expect.poll(() => pushed).toEqual(['ours', 'ours']);
  stop();
  core.appended('ours', [sent('ours', 4, 'assistant')]);
  await core.stop();
  expect(pushed).toEqual(['ours', 'ours']);
});
