import { BASIC_ACTIONS, DECLARED_ACTIONS } from '@drawbridge/brain';
import type { ChatMessage } from '@drawbridge/protocol';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import { de } from '@drawbridge/ui/german';
import { en } from '@drawbridge/ui/model';
import { expect, test } from 'vitest';
import { eventOf, taskOf } from '../../../test/panel/stand-in/states.ts';
import { conversationRows } from './rows.ts';

const said = (
  messageId: string,
  role: ChatMessage['role'],
  content: string,
  more: Partial<ChatMessage> = {},
): ChatMessage => ({
  messageId,
  role,
  content,
  timestamp: '2026-11-15T10:00:00.000Z',
  ...more,
});
const shown = (messages: readonly ChatMessage[], task?: ReturnType<typeof taskOf>) =>
  conversationRows(messages, task).map((row) =>
    row.kind === 'turn' ? `${row.turn.action} ${row.turn.status}` : `${row.kind}: ${row.text}`,
  );

const QUERY = 'Order the Arc desk lamp';

test('without a relay, a task fills the conversation itself', () => {
  const events = [eventOf(0, 'running', { action: 'click(7)' }), eventOf(0, 'ok', { action: 'click(7)' })];
  expect(shown([], taskOf('running', { events }))).toEqual([`user: ${QUERY}`, 'click(7) ok']);
});

test("merges the relay's messages and this browser's steps without duplicates", () => {
  const messages = [
    said('m0', 'user', 'Hello'),
    said('m1', 'user', QUERY),
    said('m2', 'assistant', 'The first', {
      actionString: 'click(7)',
      status: 'pending',
      metadata: { reasoning: { why: 'named' } },
    }),
    said('m3', 'assistant', 'Again', { actionString: 'click(7)', status: 'pending' }),
    said('m4', 'assistant', 'Done.', { actionString: 'finish()' }),
  ];
  const events = [
    eventOf(0, 'ok', { action: 'click(7)' }),
    eventOf(1, 'failed', { action: 'click(7)', error: 'gone' }),
    eventOf(2, 'running', { action: 'click(8)' }),
  ];
  expect(shown(messages.slice(0, 4), taskOf('running', { events }))).toEqual([
    'user: Hello',
    `user: ${QUERY}`,
    'click(7) ok',
    'click(7) failed',
    'click(8) running',
  ]);
  const over = taskOf('completed', { events: events.slice(0, 2), message: 'Ordered.' });
  expect(shown(messages, over).slice(-2)).toEqual(['click(7) failed', 'result: Ordered.']);
  const [, , turn] = conversationRows(messages, over);
  expect(turn).toMatchObject({ isCurrent: true, turn: { reasoning: 'why: named', thought: 'The first' } });
});

test('shows malformed server messages as far as possible', () => {
  const messages = [
    said('m1', 'system', 'A note'),
    said('m2', 'system', 'Plan', { metadata: { details: { kind: 'plan', steps: [] } } }),
    said('m3', 'assistant', 'click(7)', { actionString: 'click(7)', error: 'no' }),
    said('m4', 'assistant', 'It failed', {
      metadata: { details: { kind: 'task_result', status: 'failed' } },
    }),
  ];
  expect(shown(messages)).toEqual(['note: A note', 'click(7) unknown', 'result: It failed']);
  expect(conversationRows(messages, undefined)[1]).toMatchObject({ turn: { error: 'no' } });
});

test.each([...BASIC_ACTIONS, ...DECLARED_ACTIONS])('a step %s is a sentence in both languages', (name) => {
  for (const words of [en, de]) {
    expect(words.deed.does).toHaveProperty(name);
    for (const text of [`${name}()`, `${name}(7)`, `${name}(7, "x")`])
      for (const subject of [undefined, 'Search'])
        expect(stepActionOf(text, subject, words.deed)).not.toMatch(
          new RegExp(`\\b${name}\\(|“${name}”|„${name}“`),
        );
  }
});
