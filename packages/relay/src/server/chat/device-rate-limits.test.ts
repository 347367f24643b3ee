import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../../../test/server/test-relay.ts';
import type { Identity } from '../../core/ports.ts';
import { RELAY_LIMITS } from '../options.ts';
import { createDeviceRateLimits } from './device-rate-limits.ts';

const PHONE: Identity = { device_id: 'phone', roles: ['person'], label: 'Phone', scopes: [] };

function startRateLimits() {
  const clock = createFakeClock();
  const rateLimits = createDeviceRateLimits({
    clock: coreClock(clock),
    nodesOf: () => 1,
    limits: RELAY_LIMITS,
  });
  /** How many frames of a burst pass at once. */
  const flood = (identity: Identity | undefined, frames = 1_000): number => {
    const passed: number[] = [];
    const limiter = rateLimits.open(identity, () => {});
    for (let frame = 0; frame < frames; frame += 1) limiter.take(() => passed.push(frame));
    limiter.close();
    return passed.length;
  };
  return { clock, rateLimits, flood };
}

test('[CHT-97] a device that reconnects at once gets no new burst; other devices and strangers have their own', () => {
  const { clock, flood } = startRateLimits();
  expect(flood(PHONE)).toBe(200);
  expect(flood(PHONE)).toBe(0);
  expect(flood({ ...PHONE, device_id: 'tablet' })).toBe(200);
  expect([flood(undefined), flood(undefined)]).toEqual([200, 200]);
  clock.advance(1_000);
  expect(flood(PHONE)).toBe(100);
  clock.advance(60_000);
  expect(clock.pending()).toBe(0);
  expect(flood(PHONE)).toBe(200);
});

test('close leaves nothing waiting', () => {
  const { clock, rateLimits, flood } = startRateLimits();
  flood(PHONE);
  flood(undefined);
  rateLimits.close();
  expect(clock.pending()).toBe(0);
});
