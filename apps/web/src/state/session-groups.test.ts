import type { Session } from '@drawbridge/protocol';
import { en } from '@drawbridge/ui/model';
import { expect, test } from 'vitest';
import { INITIAL_STATE } from './app-state.ts';
import { DEFAULT_PREFERENCES } from './preferences.ts';
import { machineGroups } from './session-groups.ts';
import { sessionRows } from './session-list.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T11:00:00.000Z';
const session = (session_id: string, more: Partial<Session> = {}): Session => ({
  session_id,
  agent_type: 'codex',
  status: 'healthy',
  ...more,
});
const at = (
  machine_label: string,
  workspace_path: string,
  more: Partial<Session> = {},
): Partial<Session> => ({
  machine_label,
  workspace_path,
  ...more,
});

/** The visible order. */
function shown(sessions: readonly Session[], pinned: readonly string[] = []): readonly string[] {
  const all = new Map(sessions.map((each) => [each.session_id, each]));
  const rows = sessionRows({ ...INITIAL_STATE, sessions: all }, { ...DEFAULT_PREFERENCES, pinned }, en);
  return machineGroups(rows).flatMap(({ name: machine, count, workspaces }) => [
    `# ${machine} ${count}`,
    ...workspaces.flatMap(({ name, rows: own }) => [
      `## ${name}`,
      ...own.map(({ session_id }) => session_id),
    ]),
  ]);
}

test('groups sessions by machine and workspace; those without either come last', () => {
  expect(
    shown([
      session('nowhere'),
      session('loose', { machine_label: 'studio' }),
      session('b', at('studio', '/home/ada/web-shop')),
      session('c', at('laptop', 'C:\\work\\garden')),
      session('a', at('studio', '/home/ada/api', { workspace_name: 'payments' })),
    ]),
  ).toEqual([
    ...['# laptop 1', '## garden', 'c'],
    ...['# studio 3', '## payments', 'a', '## web-shop', 'b', '## undefined', 'loose'],
    ...['# undefined 1', '## undefined', 'nowhere'],
  ]);
});

test('keeps the order of groups; in a group working sessions come first, then the latest', () => {
  const quiet = (updated_at: string) => ({ activity: { kind: 'idle', updated_at } }) as const;
  const works = (updated_at: string) => ({ activity: { kind: 'thinking', updated_at } }) as const;
  const list = (first: string, second: string) =>
    shown([
      session('x', at('m', '/a', quiet(first))),
      session('y', at('m', '/a', quiet(second))),
      session('v', at('m', '/b', works(first))),
      session('w', at('m', '/b', works(second))),
    ]);
  expect(list(NOW, LATER)).toEqual(['# m 4', '## a', 'y', 'x', '## b', 'v', 'w']);
  expect(list(LATER, NOW)).toEqual(['# m 4', '## a', 'x', 'y', '## b', 'v', 'w']);
});

test('a pin moves a session up with its workspace and machine', () => {
  const sessions = [
    session('a', at('laptop', '/a')),
    session('b', at('studio', '/a')),
    session('c', at('studio', '/b')),
    session('d', at('studio', '/b')),
  ];
  expect(shown(sessions, ['d'])).toEqual([
    ...['# studio 3', '## b', 'd', 'c', '## a', 'b'],
    ...['# laptop 1', '## a', 'a'],
  ]);
});

test('tells two folders of one name apart by their parent', () => {
  expect(
    shown([session('a', at('m', '/home/ada/shop/web')), session('b', at('m', '/home/ada/site/web'))]),
  ).toEqual(['# m 2', '## shop/web', 'a', '## site/web', 'b']);
});
