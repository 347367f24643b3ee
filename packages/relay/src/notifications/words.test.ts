import { expect, test } from 'vitest';
import { isQuiet, parsePreferences } from './quiet-hours.ts';
import { body, line, promptWords, sessionLabel, spanWords, title, WORDS } from './words.ts';

test('a notification is one line, cut between letters', () => {
  expect(line('one\n\ntwo\u202e', 20)).toBe('one two');
  expect(line('👍'.repeat(30), 10)).toBe(`${'👍'.repeat(9)}…`);
});

test('a session has its name for people, never the id of its window', () => {
  const metadata = { agent_name: 'codex', workspace_name: 'web-shop', target_id: 'T1' };
  expect(sessionLabel({ session_id: 's', metadata })).toBe('codex · web-shop');
  expect(sessionLabel({ session_id: 's', metadata: {} })).toBe('s');
});

test('the data of a prompt stays with the screen that asks', () => {
  const sent = 'Sends: "card": •••\n· "id": "42"\nThis can’t be undone.';
  expect(promptWords(`Pay 49 €.\nWhere: https://pay.example\n${sent}`, WORDS.en)).toBe(
    'Pay 49 €. · https://pay.example · This can’t be undone.',
  );
  expect(promptWords(`Pay 49 €.\n${sent}`, WORDS.de)).toBe('Pay 49 €.');
});

test.each([
  [20_000, '20 s'],
  [150_000, '3 min'],
  [7_200_000, '2 h'],
])('%d ms of work are %s', (ms, words) => {
  expect(spanWords(ms, WORDS.en)).toBe(words);
});

test('quiet hours span midnight, in their own time zone', () => {
  const night = { from: '22:00', to: '07:00', timezone: 'America/New_York', except_prompts: true };
  const at = (hour: number, minute = 0) => Date.UTC(2026, 0, 15, hour, minute);
  expect([at(2, 59), at(3), at(11, 59), at(12)].map((now) => isQuiet(night, 'finished', now))).toEqual([
    ...[false, true, true, false],
  ]);
  expect(isQuiet(night, 'prompt', at(3))).toBe(false);
});

test.each([
  { kinds: ['prompt', 'gossip'] },
  { kinds: 'prompt' },
  { quiet_hours: { from: '22:00', to: '22:00', timezone: 'UTC' } },
  { quiet_hours: { from: '24:00', to: '07:00', timezone: 'UTC' } },
  { quiet_hours: { from: '22:00', to: '07:00', timezone: 'Nowhere/Land' } },
])('preferences that mean nothing are refused: %j', (preferences) => {
  expect(parsePreferences(preferences)).toEqual(expect.any(String));
});

test('a notification masks text of an agent that looks like a secret', () => {
  const sent = 'Your verification code is 482913, the key is sk-proj-abcdefghijklmnop';
  expect([title(sent), body(sent)].filter((text) => /482913|sk-proj/.test(text))).toEqual([]);
});
