import { randomUUID } from 'node:crypto';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { BridgeItem } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { denyAll } from '../grants/askers.ts';
import { createGrantBook } from '../grants/grant-book.ts';
import { type CdpBrowser, launchBrowser } from '../hosts/cdp/index.ts';
import { noMaps } from '../maps/map-source.ts';
import { createRuntime, HEARTBEAT_MS } from './runtime.ts';

let browser: CdpBrowser;
const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
beforeAll(async () => {
  browser = await launchBrowser({ headless: true });
});
afterAll(() => Promise.all([browser.close(), evaluator.close()]));

/** A runtime with a fake clock. */
function setUp() {
  const [host] = browser.surfaces();
  if (host === undefined) throw new Error('A browser starts with a tab.');
  const fake = createFakeClock();
  const sent: BridgeItem[] = [];
  const listeners = new Set<() => void>();
  const grants = createGrantBook({ now: fake.now, newId: randomUUID });
  const authorizationId = grants.lend(host.runtimeKey, 'the test');
  const runtime = createRuntime({
    runtimeId: 'runtime-1',
    host,
    maps: noMaps,
    grants,
    asker: denyAll('nobody is asked'),
    evaluator,
    clock: fake,
    newId: randomUUID,
    authorizationId,
    send: (item) => {
      sent.push(item);
      for (const listener of listeners) listener();
    },
  });
  const received = (fits: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!fits()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return { runtime, fake, sent, received, grants, authorizationId };
}

const count = (sent: readonly BridgeItem[], type: BridgeItem['type']) =>
  sent.filter((item) => item.type === type).length;

test('[BRG-30] sends its status at each heartbeat', async () => {
  const { runtime, fake, sent, received } = setUp();
  await received(() => count(sent, 'runtime_status') > 0);
  const before = count(sent, 'runtime_status');
  for (let beats = 1; beats <= 3; beats++) {
    await fake.advanceAsync(HEARTBEAT_MS);
    await received(() => count(sent, 'runtime_status') === before + beats);
  }
  await runtime.close();
  expect(fake.pending()).toBe(0);
});

test('[BRG-46] reports the approval of its loan, and a new one for the next loan', async () => {
  const shown: unknown[] = [];
  for (let times = 0; times < 2; times++) {
    const { runtime, sent, received, authorizationId } = setUp();
    await received(() => count(sent, 'runtime_ready') > 0);
    expect(sent[0]).toMatchObject({ type: 'runtime_ready', authorization_id: authorizationId });
    shown.push(authorizationId);
    await runtime.close();
  }
  expect(new Set(shown).size).toBe(2);
});

test('[BRG-132] refuses the next call after a grant is revoked', async () => {
  const { runtime, sent, received, grants, authorizationId } = setUp();
  await received(() => count(sent, 'runtime_ready') > 0);
  const call = (call_id: string) => ({
    type: 'action_call' as const,
    call_id,
    name: 'page.info',
    arguments: {},
  });
  runtime.receive(call('call-1'));
  await received(() => count(sent, 'action_call_output') === 1);
  grants.revoke(authorizationId);
  runtime.receive(call('call-2'));
  await received(() =>
    sent.some((item) => item.type === 'action_error' && item.error.code === 'permission_denied'),
  );
  expect(count(sent, 'action_call_output')).toBe(1);
  await runtime.close();
});

test('[BRG-119] [BRG-169] [BRG-170] reports its grants to a bridge that asks, and lets the bridge revoke them', async () => {
  const { runtime, sent, received, grants, authorizationId } = setUp();
  await received(() => count(sent, 'runtime_ready') > 0);
  grants.add({ origin: 'https://shop.example', covers: { name: 'cart.add', effect: 'act' }, by: 'Phone' });
  expect(count(sent, 'grants_held')).toBe(0);
  const held = () => sent.findLast((item) => item.type === 'grants_held')?.grants;

  runtime.receive({ type: 'agent_hello', features: ['grants'] });
  expect(held()).toMatchObject([
    { grant_id: authorizationId, origin: '*', effect: 'read' },
    { grant_id: authorizationId, origin: '*', effect: 'act' },
    { origin: 'https://shop.example', name: 'cart.add', effect: 'act', by: 'Phone' },
  ]);
  runtime.receive({ type: 'grants_revoked', runtime_id: 'runtime-1', grant_id: authorizationId });
  expect(held()).toMatchObject([{ name: 'cart.add' }]);
  runtime.receive({ type: 'grants_revoked', runtime_id: 'runtime-1' });
  expect(held()).toEqual([]);
  runtime.receive({ type: 'action_call', call_id: 'call-1', name: 'page.info', arguments: {} });
  await received(() => sent.some((item) => item.type === 'action_error' && item.call_id === 'call-1'));
  await runtime.close();
});
