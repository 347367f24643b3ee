import { expect, test } from 'vitest';
import { setUp } from '../test/bridge-harness.ts';

const HELD = { grant_id: 'g1', origin: 'https://shop.example', name: 'cart.add', effect: 'act', by: 'Phone' };
const NAMED = { features: ['grants'] };

test("[BRG-169] stores a runtime's grants and sends them to no agent", () => {
  const { bridge, runtime, agent } = setUp();
  const asking = agent('agent_hello');
  const peer = runtime(NAMED);
  expect(bridge.runtimes()[0]).not.toHaveProperty('grants');
  peer.connection.receive({ type: 'grants_held', runtime_id: 'r1', grants: [HELD] });
  expect(bridge.runtimes()[0]).toMatchObject({ runtime_id: 'r1', grants: [HELD] });
  expect(asking.got.map(({ type }) => type)).not.toContain('grants_held');
});

test('[BRG-170] revokes a grant at the named runtime only', () => {
  const { bridge, runtime } = setUp();
  const [first, second] = [runtime(NAMED), runtime({ runtime_id: 'r2', ...NAMED })];
  expect(bridge.revokeGrants({ runtime_id: 'r2', grant_id: 'g1' })).toBe(1);
  expect(second.got).toEqual([{ type: 'grants_revoked', runtime_id: 'r2', grant_id: 'g1' }]);
  expect(first.got).toEqual([]);
  expect(bridge.revokeGrants({ runtime_id: 'r9' })).toBe(0);
});

test('[BRG-170] revokes all grants at every runtime that supports it when none is named', () => {
  const { bridge, runtime } = setUp();
  const [first, plain] = [runtime(NAMED), runtime({ runtime_id: 'r2' })];
  expect(bridge.revokeGrants()).toBe(1);
  expect(first.got).toEqual([{ type: 'grants_revoked', runtime_id: 'r1' }]);
  expect(plain.got).toEqual([]);
});

test('[BRG-200] gives reading and acting back at every runtime that supports it, or at the named one', () => {
  const { bridge, runtime } = setUp();
  const features = ['grants', 'grants_renewed'];
  const first = runtime({ features });
  const second = runtime({ runtime_id: 'r2', features });
  const old = runtime({ runtime_id: 'r3', ...NAMED });
  expect(bridge.renewGrants('Phone')).toBe(2);
  expect(bridge.renewGrants('Laptop', 'r2')).toBe(1);
  expect(bridge.renewGrants('Phone', 'r3')).toBe(0);
  expect(first.got).toEqual([{ type: 'grants_renewed', runtime_id: 'r1', by: 'Phone' }]);
  expect(second.got.map((item) => 'by' in item && item.by)).toEqual(['Phone', 'Laptop']);
  expect(old.got).toEqual([]);
});
