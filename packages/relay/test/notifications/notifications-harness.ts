import { createFakeClock } from '@drawbridge/testbed';
import { expect } from 'vitest';
import { call, startProxy } from '../server/sessions-api/sessions-api-harness.ts';
import {
  startTestRelay,
  type TestDevice,
  type TestPeer,
  type TestRelay,
  type TestRelayOptions,
} from '../server/test-relay.ts';
import { type PostServer, startPostServer, subscribedBrowser } from './push-service.ts';

/** Noon in London. */
const NOON = Date.UTC(2026, 0, 15, 12);

/** A relay, a push service on this machine, and an agent in the session `one`. */
export async function startHarness(options: TestRelayOptions = {}) {
  const clock = createFakeClock(NOON);
  return { clock, ...(await startRealHarness({ clock, ...options })) };
}

/** Uses the wall clock. */
export async function startRealHarness(options: TestRelayOptions = {}) {
  const service = await startPostServer();
  const notices = { loopback: true, retryMs: [0, 0] };
  const relay = await startTestRelay({ notices, ...options });
  const proxy = await startProxy(relay, 'one', 'two');
  return { service, relay, proxy };
}

export async function subscribe(
  relay: TestRelay,
  service: PostServer,
  device?: TestDevice,
  settings?: object,
) {
  const own = device ?? (await relay.mint('person'));
  const browser = subscribedBrowser(service);
  await call(relay, own, 'PUT /api/push/subscription', { body: browser.subscription });
  if (settings !== undefined) await call(relay, own, 'PUT /api/push/settings', { body: settings });
  return { ...own, ...browser };
}

export const log = async (relay: TestRelay, device: TestDevice) =>
  (await call(relay, device, 'GET /api/push/log')).body.notices;

/** Allows for a machine under load. */
export const POLL = { timeout: 20_000 };

/** Resolves when the device's log has these rows, newest first. */
export async function logged(relay: TestRelay, device: TestDevice, rows: readonly object[]): Promise<void> {
  await expect.poll(() => log(relay, device), POLL).toMatchObject(rows);
}

export function ask(proxy: TestPeer, prompt_id: string, fields: object = {}): void {
  proxy.send({
    ...{ type: 'permission_prompt', session_id: 'one', prompt_id },
    prompt_text: 'Run `npm publish`?\nWhere: https://registry.example\n· token: abc\nThis can’t be undone.',
    choices: [
      { choice_id: 'yes', label: 'Yes', is_default: false },
      { choice_id: 'no', label: 'No', is_default: true },
    ],
    ...fields,
  });
}

/** Answers as a person and waits until the agent has received it. */
export async function answer(screen: TestPeer, proxy: TestPeer, prompt_id: string): Promise<void> {
  screen.send({
    ...{ type: 'permission_response', request_id: `answer_${prompt_id}` },
    ...{ session_id: 'one', prompt_id, choice_id: 'yes' },
  });
  const { request_id } = await proxy.next('permission_response');
  proxy.send({
    ...{ type: 'agent_control_result', request_id, session_id: 'one' },
    ...{ command: 'permission_response', result: 'ok' },
  });
}

export async function works(proxy: TestPeer, kind: string, session_id = 'one'): Promise<void> {
  proxy.send({ type: 'proxy_status', session_id, activity: { kind } });
  await proxy.settled();
}
