import { createFakeClock } from '@drawbridge/testbed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coreClock } from '../../test/devices/devices-harness.ts';
import { addressKey, createFailureLimiter } from './failure-limiter.ts';

test('refuses the eleventh attempt until a minute after the first failure', () => {
  const time = createFakeClock();
  const limiter = createFailureLimiter(coreClock(time));
  for (let failure = 0; failure < 10; failure += 1) {
    expect(limiter.areTooMany(['a'])).toBe(false);
    limiter.add(['a']);
    time.advance(1_000);
  }
  expect(limiter.areTooMany(['a'])).toBe(true);
  expect(limiter.areTooMany(['b', 'a'])).toBe(true);
  expect(limiter.areTooMany(['b'])).toBe(false);
  time.advance(49_999);
  expect(limiter.areTooMany(['a'])).toBe(true);
  time.advance(1);
  expect(limiter.areTooMany(['a'])).toBe(false);
});

test('a wall clock that is set back extends no lockout', () => {
  const time = createFakeClock(1_000_000);
  const limiter = createFailureLimiter(coreClock(time), 1);
  limiter.add(['a']);
  time.jump(-900_000);
  time.advance(60_000);
  expect(limiter.areTooMany(['a'])).toBe(false);
});

test('close leaves no timer', () => {
  const time = createFakeClock();
  const limiter = createFailureLimiter(coreClock(time));
  limiter.add(['a', 'b']);
  limiter.close();
  limiter.close();
  expect(time.pending()).toBe(0);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('counts all addresses of one IPv6 network as one', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(addressKey(address)).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$|^\d+\.\d+\.\d+\.\d+$/);
    }),
  );
});
