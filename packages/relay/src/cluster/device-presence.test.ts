import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalBus } from '../../test/core/local-bus.ts';
import { coreClock } from '../../test/server/test-relay.ts';
import { createFailureLimiter } from '../devices/failure-limiter.ts';
import { createDeviceRateLimits } from '../server/chat/device-rate-limits.ts';
import { RELAY_LIMITS } from '../server/options.ts';
import { createDevicePresence } from './device-presence.ts';
import { shareFailures } from './shared-failures.ts';

function startNodes() {
  const clock = createFakeClock();
  const bus = createLocalBus();
  const nodes = ['a', 'b', 'c'].map((node_id) => {
    const presence = createDevicePresence({ bus, node_id, clock: coreClock(clock) });
    onTestFinished(presence.close);
    return presence;
  });
  const [a, b, c] = nodes;
  if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.');
  const counts = () => nodes.map(({ nodesOf }) => nodesOf('phone'));
  return { clock, a, b, c, counts };
}

test('each node knows how many nodes a device is connected to, whichever came first', () => {
  const { clock, a, b, c, counts } = startNodes();
  a.came('phone');
  clock.advance(1_000);
  b.came('phone');
  c.came('laptop');
  clock.advance(1_000);
  expect(counts()).toEqual([2, 2, 3]);
  c.came('phone');
  clock.advance(1_000);
  expect(counts()).toEqual([3, 3, 3]);
  a.left('phone');
  clock.advance(1_000);
  expect(counts()).toEqual([3, 2, 2]);
});

test('forgets the devices of a dead node', () => {
  const { clock, a, b, counts } = startNodes();
  a.came('phone');
  b.came('phone');
  clock.advance(1_000);
  a.only(new Set(['a', 'c']));
  expect(counts()).toEqual([1, 2, 3]);
});

test('[CHT-97] the message quota of a device is shared between the nodes it is connected to', () => {
  const clock = createFakeClock();
  let nodes = 1;
  const rateLimits = createDeviceRateLimits({
    clock: coreClock(clock),
    limits: RELAY_LIMITS,
    nodesOf: () => nodes,
  });
  onTestFinished(rateLimits.close);
  const identity = { device_id: 'phone', roles: ['person'], label: 'Phone', scopes: [] } as const;
  const slot = rateLimits.open(identity, () => {});
  let passed = 0;
  const flood = () => {
    for (let frame = 0; frame < 5_000; frame += 1) slot.take(() => (passed += 1));
  };
  flood();
  const burst = passed;
  clock.advance(10_000);
  const alone = passed - burst;
  nodes = 4;
  clock.advance(10_000);
  const shared = passed - burst - alone;
  expect(alone / shared).toBeCloseTo(4, 0);
});

test('[CHT-96] a failure on one node counts on the others, once', () => {
  const clock = createFakeClock();
  const bus = createLocalBus();
  const limiters = ['a', 'b'].map((node_id) => {
    const own = createFailureLimiter(coreClock(clock), 3);
    onTestFinished(own.close);
    const shared = shareFailures(own, { bus, node_id });
    onTestFinished(shared.close);
    return shared;
  });
  const areTooMany = () => limiters.map((each) => each.areTooMany(['address']));
  limiters[0]?.add(['address', 'credential']);
  limiters[1]?.add(['address']);
  expect(areTooMany()).toEqual([false, false]);
  limiters[1]?.add(['address']);
  expect(areTooMany()).toEqual([true, true]);
});
