import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../server/server.suite.ts';
import type { Keeping } from './keeper-lease.ts';
import type { Stage } from './node-ground.ts';
import { createTenure } from './tenure.ts';

const OURS = (term: number): Keeping => ({ kind: 'ours', term });
const THEIRS: Keeping = { kind: 'theirs', term: 9, keeper: { node_id: 'n', url: 'http://n' } };

function startTenure(fails: (what: string) => boolean = () => false) {
  const clock = createFakeClock();
  const story: string[] = [];
  let standing = 0;
  const open = async (what: string): Promise<Stage> => {
    await Promise.resolve();
    if (fails(what)) {
      story.push(`no ${what}`);
      throw new Error('as planned');
    }
    standing += 1;
    expect(standing).toBe(1);
    story.push(what);
    return {
      door: { request() {}, upgrade() {}, dismiss() {}, shut() {}, terminate() {} },
      changed() {},
      resync: async () => {},
      async close() {
        await Promise.resolve();
        standing -= 1;
        story.push(`end of ${what}`);
      },
    };
  };
  const tenure = createTenure({
    openBranch: () => open('branch'),
    openHouse: (term) => open(`house ${term}`),
    onFailed: (term) => {
      story.push(`gave up ${term}`);
      tenure.follow({ kind: 'unknown' });
    },
    clock: coreClock(clock),
    onFault: () => {},
  });
  return { clock, tenure, story };
}

test('opens one role at a time, the next after the last one closed', async () => {
  const { tenure, story } = startTenure();
  for (const keeping of [THEIRS, OURS(1), { kind: 'unknown' } as const, OURS(2)]) {
    tenure.follow(keeping);
    await tenure.settled();
  }
  expect(tenure.term()).toBe(2);
  await tenure.close(0);
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
  expect([tenure.stage(), tenure.term()]).toEqual([undefined, undefined]);
});

test('skips a role that is no longer wanted', async () => {
  const { tenure, story } = startTenure();
  tenure.follow(THEIRS);
  for (const term of [1, 2, 3]) tenure.follow(OURS(term));
  await tenure.settled();
  expect(story.at(-1)).toBe('house 3');
  expect(story.filter((each) => each.startsWith('house'))).toEqual(['house 3']);
});

test('gives up a leader role that cannot be opened, so that another node may try', async () => {
  const { tenure, story } = startTenure((what) => what === 'house 1');
  tenure.follow(OURS(1));
  await tenure.settled();
  expect(story).toEqual(['no house 1', 'gave up 1', 'branch']);
});

test('retries a follower role that cannot be opened', async () => {
  let isDown = true;
  const { clock, tenure, story } = startTenure(() => isDown);
  tenure.follow(THEIRS);
  await tenure.settled();
  expect(tenure.stage()).toBeUndefined();
  isDown = false;
  await clock.advanceAsync(1_000);
  await tenure.settled();
  expect(story).toEqual(['no branch', 'branch']);
  await tenure.close(0);
});
