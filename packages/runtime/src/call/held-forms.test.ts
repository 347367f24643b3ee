import { BridgeError } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import type { SurfaceHost } from '../host.ts';
import { createHeldForms, type HeldAct } from './held-forms.ts';

test('[BRG-128] lifts the hold for a permitted act after a no that took a while', async () => {
  const fake = createFakeClock();
  const orders: unknown[] = [];
  const host: Pick<SurfaceHost, 'callPage' | 'onEvent' | 'surface'> = {
    async callPage(name, [order]) {
      if (name !== 'forms.hold') return {};
      orders.push(order);
      return order === 'release' ? { token: '1', to: '/sent' } : null;
    },
    onEvent: () => () => {},
    surface: () => ({ url: 'http://page.test/', title: '', active: true }),
  };
  const heldForms = createHeldForms(host as SurfaceHost, fake);
  const act: HeldAct = {
    callId: 'call-1',
    name: 'element.fill',
    isPermitted: false,
    signal: new AbortController().signal,
    asking: {
      hasGrant: () => false,
      async ask() {
        fake.advance(60_000);
        throw new BridgeError('permission_denied', 'A person said no.');
      },
    },
  };
  await expect(heldForms.during(act, async () => 'done')).rejects.toMatchObject({
    code: 'permission_denied',
  });
  await heldForms.during({ ...act, callId: 'call-2', isPermitted: true }, async () => 'done');
  expect(orders).toEqual(['raise', 'release', 'drop', 'lift']);
});
