import { expect, test } from 'vitest';
import { talkRows } from './rows.ts';
import { createTalk, type Talk } from './talk.ts';
import { foldTalk } from './talk-fold.ts';

const message = { message_id: 'a', role: 'assistant', content: 'Hello' } as const;

function kindsOf(talk: Talk): readonly string[] {
  return talkRows(talk, { pending: [], dropped: [], readUpTo: undefined }).map(({ kind }) => kind);
}

test('shows where the history ends, and where it failed to load', () => {
  const snapshot = {
    type: 'history_snapshot' as const,
    protocol_version: 1 as const,
    session_id: 's',
    last_sequence: 3,
    messages: [{ ...message, created_at: '2026-01-01T00:00:00.000Z' }],
  };
  const whole = foldTalk(createTalk(), [{ type: 'older_page', snapshot }]);
  expect(kindsOf(whole)).toEqual(['start', 'entry']);
  const failed = foldTalk(whole, [{ type: 'history_state', state: 'failed' }]);
  expect(kindsOf(failed)).toEqual(['older_failed', 'entry']);
});
