import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openPage } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { addSession, appOf, CHANNEL, publisherOf, SESSION } from '../../test/pusher/pusher-harness.ts';
import { startTestRelay } from '../../test/server/test-relay.ts';

const LIBRARY = join(createRequire(import.meta.url).resolve('pusher-js'), '../../web/pusher.min.js');

test("[INT-176] [INT-181] an unmodified client in a browser receives its session's events with its device's token", async () => {
  const relay = await startTestRelay();
  await addSession(relay);
  const app = await appOf(relay);
  const { token } = await relay.mint('person');
  const { page, close } = await openPage();
  onTestFinished(close);
  await page.goto(relay.url);
  await page.evaluate(await readFile(LIBRARY, 'utf8'));
  await page.evaluate(
    `new Promise((resolve, reject) => {
      const client = new Pusher(${JSON.stringify(app.key)}, {
        cluster: 'any', wsHost: location.hostname, wsPort: location.port, forceTLS: false,
        enabledTransports: ['ws'], channelAuthorization: {
          endpoint: '/api/pusher/auth', headers: { authorization: ${JSON.stringify(`Bearer ${token}`)} },
        },
      });
      const channel = client.subscribe(${JSON.stringify(CHANNEL)});
      const seen = [];
      globalThis.seen = new Promise((all) => {
        channel.bind_global((event, data) => {
          if (!event.startsWith('pusher:')) seen.push([event, data]);
          if (seen.length === 2) all(seen);
        });
      });
      channel.bind('pusher:subscription_error', (error) => reject(new Error(JSON.stringify(error))));
      channel.bind('pusher:subscription_succeeded', resolve);
    })`,
  );
  relay.pusher.trigger(SESSION, 'new_message', { n: 1 });
  await publisherOf(app, relay.port).trigger(CHANNEL, 'plan_update', { n: 2 });
  expect(await page.evaluate('seen')).toEqual([
    ['new_message', { n: 1 }],
    ['plan_update', { n: 2 }],
  ]);
});
