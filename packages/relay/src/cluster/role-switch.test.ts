import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../../test/server/test-relay.ts';
import type { Leadership } from './leader-lease.ts';
import type { NodeRole } from './node-context.ts';
import { createRoleSwitch } from './role-switch.ts';

const OURS = (term: number): Leadership => ({ kind: 'ours', term });
const THEIRS: Leadership = { kind: 'theirs', term: 9, leader: { node_id: 'n', url: 'http://n' } };

function startRoleSwitch(fails: (what: string) => boolean = () => false) {
  const clock = createFakeClock();
  const story: string[] = [];
  let standing = 0;
  const open = async (what: string): Promise<NodeRole> => {
    await Promise.resolve();
    if (fails(what)) {
      story.push(`no ${what}`);
      throw new Error('as planned');
    }
    standing += 1;
    expect(standing).toBe(1);
    story.push(what);
    return {
      router: { request() {}, upgrade() {}, dismiss() {}, shut() {}, terminate() {} },
      changed() {},
      resync: async () => {},
      async close() {
        await Promise.resolve();
        standing -= 1;
        story.push(`end of ${what}`);
      },
    };
  };
  const roleSwitch = createRoleSwitch({
    openFollower: () => open('follower'),
    openLeader: (term) => open(`leader ${term}`),
    onFailed: (term) => {
      story.push(`gave up ${term}`);
      roleSwitch.apply({ kind: 'unknown' });
    },
    clock: coreClock(clock),
    onError: () => {},
  });
  return { clock, roleSwitch, story };
}

test('opens one role at a time, the next after the last one closed', async () => {
  const { roleSwitch, story } = startRoleSwitch();
  for (const leadership of [THEIRS, OURS(1), { kind: 'unknown' } as const, OURS(2)]) {
    roleSwitch.apply(leadership);
    await roleSwitch.finished();
  }
  expect(roleSwitch.term()).toBe(2);
  await roleSwitch.close(0);
  expect(story).toEqual([
    ...[
      'follower',
      'end of follower',
      'leader 1',
      'end of leader 1',
      'follower',
      'end of follower',
      'leader 2',
      'end of leader 2',
    ],
  ]);
  expect([roleSwitch.role(), roleSwitch.term()]).toEqual([undefined, undefined]);
});

test('skips a role that is no longer wanted', async () => {
  const { roleSwitch, story } = startRoleSwitch();
  roleSwitch.apply(THEIRS);
  for (const term of [1, 2, 3]) roleSwitch.apply(OURS(term));
  await roleSwitch.finished();
  expect(story.at(-1)).toBe('leader 3');
  expect(story.filter((each) => each.startsWith('leader'))).toEqual(['leader 3']);
});

test('gives up a leader role that cannot be opened, so that another node may try', async () => {
  const { roleSwitch, story } = startRoleSwitch((what) => what === 'leader 1');
  roleSwitch.apply(OURS(1));
  await roleSwitch.finished();
  expect(story).toEqual(['no leader 1', 'gave up 1', 'follower']);
});

test('retries a follower role that cannot be opened', async () => {
  let isDown = true;
  const { clock, roleSwitch, story } = startRoleSwitch(() => isDown);
  roleSwitch.apply(THEIRS);
  await roleSwitch.finished();
  expect(roleSwitch.role()).toBeUndefined();
  isDown = false;
  await clock.advanceAsync(1_000);
  await roleSwitch.finished();
  expect(story).toEqual(['no follower', 'follower']);
  await roleSwitch.close(0);
});
