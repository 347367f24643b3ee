import type { DemoView } from '@drawbridge/protocol/http';
import { expect, test } from 'vitest';
import { pairBrowser } from '../../../test/devices/paired-browser.ts';
import { call } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay } from '../../../test/server/test-relay.ts';
import type { RelayDemo } from './demo-route.ts';

/** A demo whose state the test sets. */
function scriptedDemo(missing?: string) {
  let view: DemoView = { state: 'ready', said: '', done: [] };
  const demo: RelayDemo = {
    view: () => view,
    async start() {
      if (missing !== undefined) throw new Error(missing);
      view = { state: 'playing', said: 'An agent buys a lamp.', done: [] };
    },
  };
  return { demo, end: () => (view = { state: 'played', said: 'That was all of it.', done: [] }) };
}

test('an owner starts the demo, one at a time', async () => {
  const { demo, end } = scriptedDemo();
  const relay = await startTestRelay({ demo });
  const owner = await relay.mint('owner');
  expect(await call(relay, owner, 'GET /api/demo')).toMatchObject({ status: 200, body: { state: 'ready' } });
  const begun = { state: 'playing', said: 'An agent buys a lamp.' };
  expect(await call(relay, owner, 'POST /api/demo')).toMatchObject({ status: 202, body: begun });
  expect(await call(relay, owner, 'POST /api/demo')).toMatchObject({
    status: 409,
    body: { error: { code: 'demo_playing', message: expect.stringContaining('already') } },
  });
  end();
  expect(await call(relay, owner, 'GET /api/demo')).toMatchObject({ body: { state: 'played' } });
  expect(await call(relay, owner, 'POST /api/demo')).toMatchObject({ status: 202 });
});

test('only an owner starts it, and no guest learns of it', async () => {
  const { demo } = scriptedDemo();
  const relay = await startTestRelay({ demo });
  for (const role of ['person', 'agent', 'proxy'] as const) {
    expect(await call(relay, await relay.mint(role), 'POST /api/demo')).toMatchObject({ status: 403 });
  }
  const guest = await relay.mint('person', ['session:one']);
  expect(await call(relay, guest, 'GET /api/demo')).toMatchObject({ status: 403 });
  expect((await fetch(`${relay.url}/api/demo`, { method: 'POST' })).status).toBe(401);
  expect(demo.view().state).toBe('ready');
});

test('[CHT-89] our own page starts it with its proof, and no page of another site does', async () => {
  const { demo } = scriptedDemo();
  const relay = await startTestRelay({ demo });
  const { proof } = await pairBrowser(relay.devices, ['owner']);
  const statusFrom = async (origin: string) => {
    const shown = { 'drawbridge-proof': proof('POST', '/api/demo') };
    return (await fetch(`${relay.url}/api/demo`, { method: 'POST', headers: { ...shown, origin } })).status;
  };
  expect(await statusFrom('https://evil.example')).toBe(403);
  expect(demo.view().state).toBe('ready');
  expect(await statusFrom(relay.url)).toBe(202);
});

test('names a missing requirement; a relay without a demo has none', async () => {
  const { demo } = scriptedDemo('No Chromium is here. Install one.');
  const relay = await startTestRelay({ demo });
  expect(await call(relay, await relay.mint('owner'), 'POST /api/demo')).toMatchObject({
    status: 503,
    body: { error: { message: 'No Chromium is here. Install one.' } },
  });
  const bare = await startTestRelay();
  const owner = await bare.mint('owner');
  expect(await call(bare, owner, 'GET /api/demo')).toMatchObject({
    body: { state: 'none', said: '', done: [] },
  });
  expect(await call(bare, owner, 'POST /api/demo')).toMatchObject({ status: 404 });
});
