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
