import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, denyAll, noMaps } from '@drawbridge/runtime';
import { launchBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces, surfaceScript } from '@drawbridge/runtime/node';
import { chromiumPath, listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { watch } from '../../../test/server/runtimes/watched-tab.ts';
import { startTestRelay, type TestRelay } from '../../../test/server/test-relay.ts';

/** A tab of a real browser, lent to the relay by a runtime of this process. */
async function lendRealTab({ bridge }: TestRelay): Promise<string> {
  const script = async () => (await surfaceScript()).code;
  const browser = await launchBrowser({
    ...{ executable: chromiumPath(), headless: true, args: [], script },
    localNetwork: { isOpen: () => true, open: () => {}, notePrivate: () => {} },
  });
  onTestFinished(() => browser.close());
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  onTestFinished(() => evaluator.close());
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive) => {
      const connection = bridge.connectRuntime({ send: receive });
      return { send: connection.receive, close: connection.close };
    },
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    ...{ maps: noMaps, evaluator, asker: denyAll('nobody is asked'), by: 'the test' },
  });
  onTestFinished(() => surfaces.close());
  const idOfTab = () => bridge.runtimes()[0]?.runtime_id ?? '';
  await expect.poll(idOfTab, { timeout: 20_000 }).not.toBe('');
  return idOfTab();
}

test('a real tab is shown scaled down, and again after a navigation', async () => {
  const page = createServer((request, response) => {
    const colour = request.url === '/two' ? 'teal' : 'orange';
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>${colour}</title><body style="background:${colour}"><input type=password value=hunter22>`,
    );
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(page)}`;
  onTestFinished(() => {
    page.closeAllConnections();
    page.close();
  });
  const relay = await startTestRelay();
  const runtime_id = await lendRealTab(relay);
  const goTo = (path: string) =>
    relay.bridge.call({ name: 'browser.navigate', arguments: { url: `${url}${path}` }, runtime_id }).output;
  await goTo('/one');
  const view = await watch(relay, await relay.mint('person'), runtime_id);
  const images = new Set<string>();
  const seen = async (path: string) => {
    for (;;) {
      const next = await view.next();
      if (next?.event === 'frame' && next.data.url === `${url}${path}` && !images.has(next.data.image))
        return next.data;
    }
  };
  const one = await seen('/one');
  expect(Buffer.from(one.image, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');
  expect(one).toMatchObject({ mime_type: 'image/jpeg' });
  expect(one.width).toBeLessThanOrEqual(640);
  images.add(one.image);
  await goTo('/two');
  expect(await seen('/two')).toMatchObject({ mime_type: 'image/jpeg' });
});
