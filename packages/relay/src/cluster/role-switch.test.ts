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
    openFollower: () => open('branch'),
    openLeader: (term) => open(`house ${term}`),
    onFailed: (term) => {
      story.push(`gave up ${term}`);
      roleSwitch.follow({ kind: 'unknown' });
    },
    clock: coreClock(clock),
    onError: () => {},
  });
  return { clock, roleSwitch, story };
}

test('opens one role at a time, the next after the last one closed', async () => {
  const { roleSwitch, story } = startRoleSwitch();
  for (const leadership of [THEIRS, OURS(1), { kind: 'unknown' } as const, OURS(2)]) {
    roleSwitch.follow(leadership);
    await roleSwitch.settled();
  }
  expect(roleSwitch.term()).toBe(2);
  await roleSwitch.close(0);
  expect(story).toEqual([
    ...[
      'branch',
      'end of branch',
      'house 1',
      'end of house 1',
      'branch',
      'end of branch',
      'house 2',
      'end of house 2',
    ],
  ]);
  expect([roleSwitch.role(), roleSwitch.term()]).toEqual([undefined, undefined]);
});

test('skips a role that is no longer wanted', async () => {
  const { roleSwitch, story } = startRoleSwitch();
  roleSwitch.follow(THEIRS);
  for (const term of [1, 2, 3]) roleSwitch.follow(OURS(term));
  await roleSwitch.settled();
  expect(story.at(-1)).toBe('house 3');
  expect(story.filter((each) => each.startsWith('house'))).toEqual(['house 3']);
});

test('gives up a leader role that cannot be opened, so that another node may try', async () => {
  const { roleSwitch, story } = startRoleSwitch((what) => what === 'house 1');
  roleSwitch.follow(OURS(1));
  await roleSwitch.settled();
  expect(story).toEqual(['no house 1', 'gave up 1', 'branch']);
});

test('retries a follower role that cannot be opened', async () => {
  let isDown = true;
  const { clock, roleSwitch, story } = startRoleSwitch(() => isDown);
  roleSwitch.follow(THEIRS);
  await roleSwitch.settled();
  expect(roleSwitch.role()).toBeUndefined();
  isDown = false;
  await clock.advanceAsync(1_000);
  await roleSwitch.settled();
  expect(story).toEqual(['no branch', 'branch']);
  await roleSwitch.close(0);
});
