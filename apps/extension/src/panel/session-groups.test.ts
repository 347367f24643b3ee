import type { Session } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { sessionGroups } from './session-groups.ts';

const session = (session_id: string, display_name: string, agent_name = 'drawbridge'): Session => ({
  session_id,
  agent_type: 'unknown',
  status: 'healthy',
  agent_name,
  display_name,
});

test('groups conversations by their first site, the active one first', () => {
  const sessions = [
    session('1', 'bank.example: Pay the rent'),
    session('2', 'shop.example: Order a lamp'),
    session('3', 'My own name'),
    session('4', 'shop.example: Publish', 'codex'),
  ];
  const groups = sessionGroups(sessions, undefined, 'www.shop.example');
  expect(
    groups.map(({ domain, sessions: members }) => [domain, members.map(({ sessionId }) => sessionId)]),
  ).toEqual([
    ['shop.example', ['2']],
    ['bank.example', ['1']],
    [undefined, ['3']],
  ]);
});

test('includes the latest of a site even if renamed or not announced', () => {
  const latest = { sessionId: '3', title: 'Lamps', domain: 'shop.example', isRenamed: true };
  const [known] = sessionGroups([session('3', 'My own name')], latest, 'shop.example');
  expect(known).toEqual({
    domain: 'shop.example',
    sessions: [{ sessionId: '3', title: 'My own name', domain: 'shop.example' }],
  });
  expect(sessionGroups([], latest, 'shop.example')[0]?.sessions[0]?.title).toBe('Lamps');
});
