import { expect, test } from 'vitest';
import { type Conversation, createConversation } from './conversation.ts';
import { foldConversation } from './conversation-fold.ts';
import { conversationRows } from './rows.ts';

const message = { message_id: 'a', role: 'assistant', content: 'Hello' } as const;

function kindsOf(conversation: Conversation): readonly string[] {
  return conversationRows(conversation, { pending: [], dropped: [], readUpTo: undefined }).map(
    ({ kind }) => kind,
  );
}

test('shows where the history ends, and where it failed to load', () => {
  const snapshot = {
    type: 'history_snapshot' as const,
    protocol_version: 1 as const,
    session_id: 's',
    last_sequence: 3,
    messages: [{ ...message, created_at: '2026-01-01T00:00:00.000Z' }],
  };
  const whole = foldConversation(createConversation(), [{ type: 'older_page', snapshot }]);
  expect(kindsOf(whole)).toEqual(['start', 'entry']);
  const failed = foldConversation(whole, [{ type: 'history_state', state: 'failed' }]);
  expect(kindsOf(failed)).toEqual(['older_failed', 'entry']);
});

test('folds looks in a row into one line, and nothing else', () => {
  const step = (message_id: string, action: string) => ({
    ...{
      message_id,
      role: 'system',
      content: `${action} ${message_id}`,
      created_at: '2026-01-01T00:00:00.000Z',
    },
    metadata: { details: { kind: 'step', task_id: 's', index: 0, action, status: 'ok' } },
  });
  const snapshot = {
    ...{ type: 'history_snapshot' as const, protocol_version: 1 as const, session_id: 's', last_sequence: 5 },
    messages: [
      step('a', 'look()'),
      step('b', 'look()'),
      step('c', 'click("7")'),
      step('d', 'click("7")'),
      step('e', 'look()'),
    ],
  };
  const conversation = foldConversation(createConversation(), [{ type: 'older_page', snapshot }]);
  const rows = conversationRows(conversation, { pending: [], dropped: [], readUpTo: undefined });
  expect(rows.map((row) => (row.kind === 'entry' ? [row.key, row.entry.id, row.looks] : row.kind))).toEqual([
    'start',
    ['a', 'b', 2],
    ['c', 'c', undefined],
    ['d', 'd', undefined],
    ['e', 'e', undefined],
  ]);
});

test('leaves out an agent’s report of a browser call that the relay’s step says better', () => {
  const created_at = '2026-01-01T00:00:00.000Z';
  const step = (message_id: string, status: string) => ({
    ...{ message_id, role: 'system', content: message_id, created_at },
    metadata: { details: { kind: 'step', task_id: 's', index: 0, action: 'click("7")', status } },
  });
  const call = (message_id: string, title: string, status = 'completed') => ({
    ...{ message_id, role: 'assistant', content: title, created_at },
    metadata: { details: { kind: 'tool_call', tool_call_id: message_id, title, status } },
  });
  const snapshot = {
    ...{ type: 'history_snapshot' as const, protocol_version: 1 as const, session_id: 's', last_sequence: 9 },
    messages: [
      call('claude', 'mcp__drawbridge__act', 'failed'),
      step('denied', 'failed'),
      call('tests', 'npm test'),
      call('codex', 'Tool: drawbridge/snapshot'),
      step('looked', 'ok'),
      call('command', 'drawbridge tabs list'),
      call('edit', 'Edit notes.txt'),
      call('alone', 'drawbridge_act', 'failed'),
    ],
  };
  const conversation = foldConversation(createConversation(), [{ type: 'older_page', snapshot }]);
  const rows = conversationRows(conversation, { pending: [], dropped: [], readUpTo: undefined });
  expect(rows.map(({ key }) => key)).toEqual([
    'start',
    'denied',
    'tests',
    'looked',
    'command',
    'edit',
    'alone',
  ]);
});
