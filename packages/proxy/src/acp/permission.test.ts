import type { PermissionOption } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { askedPrompt } from './permission.ts';

const INSTANCE = { nonce: 'n', detected_at: '2026-01-01T00:00:00.000Z', timeout_ms: undefined };
const ask = (options: PermissionOption[], toolCall = { toolCallId: 'c', title: 'Edit' }) =>
  askedPrompt({ sessionId: 's', toolCall, options }, undefined, INSTANCE);

test("[CHT-232] gives choices stable names; a second one of a kind keeps the agent's name", () => {
  const { prompt, optionIds } = ask([
    { optionId: 'auto', name: 'Yes, and auto-accept', kind: 'allow_always' },
    { optionId: 'acceptEdits', name: 'Yes, and accept edits', kind: 'allow_always' },
    { optionId: 'default', name: 'Yes', kind: 'allow_once' },
    { optionId: 'plan', name: 'No, keep planning', kind: 'reject_once' },
  ]);
  expect([...optionIds]).toEqual([
    ['always', 'auto'],
    ['acceptEdits', 'acceptEdits'],
    ['yes', 'default'],
    ['no', 'plan'],
  ]);
  expect(prompt.choices.map(({ choice_id, effect }) => [choice_id, effect])).toEqual([
    ['always', 'allow'],
    ['acceptEdits', 'allow'],
    ['yes', 'allow'],
    ['no', 'deny'],
  ]);
  expect(prompt.default_choice).toBe('no');
});

test('[CHT-225] has no default where no choice denies', () => {
  const { prompt } = ask([{ optionId: 'ok', name: 'OK', kind: 'allow_once' }]);
  expect(prompt.default_choice).toBeUndefined();
  expect(prompt.choices).toEqual([{ choice_id: 'yes', label: 'OK', is_default: false, effect: 'allow' }]);
});

test('[CHT-232] contains the whole action in its text, and a command only once', () => {
  const options: PermissionOption[] = [{ optionId: 'no', name: 'No', kind: 'reject_once' }];
  const command = { toolCallId: 'c', title: 'rm -r build', rawInput: { command: 'rm -r build' } };
  expect(ask(options, command).prompt.prompt_text).toBe('$ rm -r build');
  const edit = {
    toolCallId: 'c',
    title: 'Edit',
    content: [{ type: 'diff' as const, path: '/a.txt', oldText: 'x\ny\n', newText: 'z\n' }],
    locations: [{ path: '/a.txt' }, { path: '/b.txt' }],
  };
  expect(ask(options, edit).prompt.prompt_text).toBe('Edit\n/a.txt\n- x\n- y\n+ z\n\n/b.txt');
});
