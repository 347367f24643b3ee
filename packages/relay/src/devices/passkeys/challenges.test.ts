import { randomBytes } from 'node:crypto';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { expectRefusal } from '../../../test/devices/devices-harness.ts';
import { CHALLENGE_MS, CHALLENGES_AT_MOST, createChallenges } from './challenges.ts';

test('a caller who asks repeatedly evicts only their own challenges', async () => {
  const challenges = createChallenges(createFakeClock(), randomBytes);
  const theirs = challenges.open('there');
  const own = Array.from({ length: 6 }, () => challenges.open('here'));
  await expectRefusal(() => challenges.take(own[0]?.attempt ?? ''), 'passkey_refused');
  for (const { attempt, challenge } of [theirs, ...own.slice(1)]) {
    expect(challenges.take(attempt).challenge).toBe(challenge);
  }
});

test('limits how many challenges wait, and expiry makes room', async () => {
  const time = createFakeClock();
  const challenges = createChallenges(time, randomBytes);
  for (let at = 0; at < CHALLENGES_AT_MOST; at += 1) challenges.open(`address ${at}`);
  await expectRefusal(() => challenges.open('one more'), 'pairing_full');
  time.advance(CHALLENGE_MS);
  const { attempt } = challenges.open('one more');
  expect(challenges.take(attempt).from).toBe('one more');
  await expectRefusal(() => challenges.take(attempt), 'passkey_refused');
});
