import type { SamplesOf } from '../wire/samples-of.suite.ts';
import type { BRIDGE_ITEMS } from './items.ts';

/** One valid item of each type, with every field it may carry. */
export const BRIDGE_SAMPLES: SamplesOf<typeof BRIDGE_ITEMS> = {
  runtime_ready: {
    type: 'runtime_ready',
    runtime_id: 'runtime-1',
    url: 'https://shop.example/cart',
    runtime_key: 'chrome-tab:7',
    authorization_id: 'auth-1',
    extension_version: '0.1.0',
    manifest: { protocol: 'actions.json', version: 1 },
    host: 'shop.example',
    title: 'Your cart',
    capabilities: ['browser.screenshot'],
    features: ['action_progress'],
  },
  runtime_status: {
    type: 'runtime_status',
    runtime_id: 'runtime-1',
    url: 'https://shop.example/cart',
    states: ['cart_visible'],
    attachments: [{ id: 'cart-launcher', state: 'attached' }],
    observed_at: '2026-06-04T16:25:00Z',
  },
  action_call: {
    type: 'action_call',
    call_id: 'call-1',
    name: 'cart.add',
    arguments: { sku: 'tea' },
    runtime_id: 'runtime-1',
    target_runtime_id: 'runtime-1',
    target: { runtime_id: 'runtime-1', runtime_key: 'chrome-tab:7' },
    target_url_contains: '/cart',
    target_title_contains: 'cart',
    timeout_ms: 10_000,
  },
  action_call_output: {
    type: 'action_call_output',
    call_id: 'call-1',
    runtime_id: 'runtime-1',
    output: { ok: true },
  },
  dom_event: {
    type: 'dom_event',
    event_id: 'event-1',
    runtime_id: 'runtime-1',
    name: 'cart.changed',
    payload: { items: 2 },
    event: 'shop:cart-changed',
    url: 'https://shop.example/cart',
    previous_call_id: 'call-1',
    observed_at: '2026-06-04T16:25:00Z',
  },
  action_error: {
    type: 'action_error',
    error: {
      code: 'target_not_found',
      message: 'There is no such button.',
      severity: 'major',
      recoverable: true,
      evidence: { selector: 'button' },
    },
    call_id: 'call-1',
    runtime_id: 'runtime-1',
  },
};
