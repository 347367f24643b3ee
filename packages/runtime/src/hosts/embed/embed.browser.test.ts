import { LIMITS } from '@drawbridge/protocol';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbedSite, TOKEN } from '../../../test/hosts/embed/embed-site.ts';
import { bookmarklet } from './index.ts';

let site: Awaited<ReturnType<typeof startEmbedSite>>;
let opened: OpenPage;

beforeAll(async () => {
  [site, opened] = await Promise.all([startEmbedSite(), openPage()]);
});
afterAll(async () => {
  await opened.close();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => end());

/** Gives back the page of the last test. */
async function end(): Promise<void> {
  await opened.page.evaluate(() => Reflect.get(window, Symbol.for('drawbridge.embed'))?.close());
  await site.until((ids) => ids.length === 0);
}

const READ_COUNT = {
  version: 1,
  expression_language: 'jsonata',
  steps: [{ id: 'read', primitive: 'locator.text_content', args: { locator: { selector: '#count' } } }],
  output: "{% {'count': $number(steps.read.output.text)} %}",
};
const MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'shop.count',
      description: 'How many are in the cart.',
      input_schema: { type: 'object' },
      workflow: READ_COUNT,
      x_actions: { effect: 'read' },
    },
    {
      name: 'shop.greet',
      description: 'Greets.',
      input_schema: { type: 'object' },
      x_actions: { effect: 'irreversible', handler: 'greet' },
    },
  ],
};

/** Lends the page as the README shows. */
async function lend(path = '/', bridgeUrl = site.ws, answer?: 'once'): Promise<void> {
  await opened.page.goto(`${site.url}${path}`);
  const id: string = await opened.page.evaluate(
    ([url, token, map, decision]) => {
      const embed = Reflect.get(window, 'drawbridge').startEmbed({
        bridge: { url, token },
        map,
        expressions: { worker: '/evaluator.js', maxMs: 10_000 },
        handlers: { greet: async () => 'Hello' },
        ...(decision && {
          ask: async ({ call_hash }: { call_hash: string }) => ({ decision, call_hash, by: 'the owner' }),
        }),
      });
      return embed.runtime.runtimeId;
    },
    [bridgeUrl, TOKEN, MAP, answer] as const,
  );
  await site.until((ids) => ids.includes(id));
}

const call = (name: string, args: object = {}) => site.bridge.call({ name, arguments: { ...args } }).output;

test('[BRG-95] [BRG-97] offers no screenshots in the embed host, and says so when asked', async () => {
  await lend();
  const [runtime] = site.bridge.runtimes();
  expect(runtime?.capabilities).toContain('page.snapshot');
  expect(runtime?.capabilities).not.toContain('browser.screenshot');
  await expect(call('browser.screenshot')).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'browser.screenshot', host: 'embed' },
  });
});

test('[BRG-96] observes and points by page script alone, and has no tabs', async () => {
  await lend();
  expect(await call('dom.observe.visible', { selector: '#add' })).toMatchObject({ match_count: 1 });
  const found = await call('locator.element_info', { locator: { selector: '#add' } });
  expect(await call('pointer.click', Reflect.get(Object(found), 'clickable_center'))).toMatchObject({
    fidelity: 'synthetic',
  });
  expect(await opened.page.locator('#count').textContent()).toBe('1');
  for (const [name, args] of [
    ['browser.claimed_tabs.list', {}],
    ['browser.claimed_tabs.activate', { tab_id: '1' }],
    ['browser.navigate', { url: `${site.url}/plain` }],
    ['browser.open_tab', {}],
    ['browser.close_tab', {}],
    ['browser.dismiss_dialog', {}],
  ] as const) {
    await expect(call(name, args)).rejects.toMatchObject({
      code: 'capability_unavailable',
      evidence: { capability: name, host: 'embed' },
    });
  }
  await expect(call('keyboard.press', { key: 'a', trusted: true })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'trusted_input', host: 'embed' },
  });
});

test.each(['ws', 'poll'] as const)('[BRG-106] runs its map over %s under a strict policy', async (which) => {
  await lend('/', site[which]);
  expect(await call('shop.count')).toEqual({ count: 0 });
});

test('[BRG-97] fails expressions with what to do where the page allows no worker, and runs the rest', async () => {
  await lend('/no-worker');
  await expect(call('shop.count')).rejects.toMatchObject({
    code: 'workflow_output_failed',
    evidence: {
      error: {
        code: 'capability_unavailable',
        message: expect.stringContaining('worker-src'),
        evidence: { capability: 'expressions', host: 'embed', reason: 'worker_refused' },
      },
    },
  });
  expect(await call('page.info')).toMatchObject({ title: 'Shop' });
});

test('[BRG-80] refuses a call that the loan does not cover, unless the lender agrees', async () => {
  await lend();
  await expect(call('shop.greet')).rejects.toMatchObject({ code: 'permission_denied' });
  await end();
  await lend('/', site.ws, 'once');
  expect(await call('shop.greet')).toBe('Hello');
});

test('[BRG-132] refuses the next call after the owner takes the page back', async () => {
  await lend();
  expect(await call('page.info')).toMatchObject({ title: 'Shop' });
  await opened.page.evaluate(() => Reflect.get(window, Symbol.for('drawbridge.embed')).grants.revokeAll());
  await expect(call('page.info')).rejects.toMatchObject({ code: 'permission_denied' });
});

test('[BRG-173] answers nothing where the lent page is the relay’s own', async () => {
  site.relayHosts.push(new URL(site.url).host);
  await lend();
  for (const [name, args] of READS) await expect(call(name, args), name).rejects.toMatchObject(CONTROL_PLANE);
  site.relayHosts.length = 0;
  await lend();
  for (const [name, args] of READS) await call(name, args);
});

test('[BRG-174] answers nothing once the page declares itself', async () => {
  await lend();
  await opened.page.evaluate(() =>
    document.head.insertAdjacentHTML('beforeend', '<meta name="drawbridge" content="control-plane">'),
  );
  await expect(call('page.snapshot')).rejects.toMatchObject(CONTROL_PLANE);
  // The declaration counts also when it is taken away again.
  await opened.page.evaluate(() => document.head.querySelector('meta[name=drawbridge]')?.remove());
  await expect(call('page.read')).rejects.toMatchObject(CONTROL_PLANE);
});

const CONTROL_PLANE = { code: 'permission_denied', evidence: { reason: 'control_plane' } };
const READS = [
  ['page.info', {}],
  ['page.snapshot', {}],
  ['page.read', {}],
  ['page.fetch', { url: '/plain' }],
  ['pointer.click', { x: 20, y: 10 }],
] as const;

test('[BRG-35] keeps its key across reloads', async () => {
  await lend();
  const [before] = site.bridge.runtimes();
  await lend();
  const [after] = site.bridge.runtimes();
  expect(after?.runtime_id).not.toBe(before?.runtime_id);
  expect(after?.ready.runtime_key).toBe(before?.ready.runtime_key);
});

test('disconnects at once when the page is left', async () => {
  await lend();
  const gone = site.until((ids) => ids.length === 0);
  await opened.page.goto(`${site.url}/plain`);
  await gone;
});

test('reports an item that cannot be sent to the owner and continues', async () => {
  await opened.page.goto(`${site.url}/`);
  const delivered = await opened.page.evaluate(
    ([url, token, map, chars]) =>
      new Promise((resolve) => {
        const [tool] = map.tools;
        Reflect.get(window, 'drawbridge').startEmbed({
          bridge: { url, token },
          map: { ...map, tools: [{ ...tool, description: 'x'.repeat(chars) }] },
          onProblem: ({ code, evidence }: { code: string; evidence: object }) => resolve({ code, evidence }),
        });
      }),
    [site.ws, TOKEN, MAP, LIMITS.frame.value] as const,
  );
  expect(delivered).toMatchObject({ code: 'transport_failed', evidence: { reason: 'item_too_large' } });
});

test('lends the page once per script and leaves nothing behind', async () => {
  await opened.page.goto(`${site.url}/`);
  const before = await opened.page.content();
  await lend();
  const again = await opened.page.evaluate((url) => {
    const embed = Reflect.get(window, 'drawbridge').startEmbed({ bridge: { url, token: 'x' } });
    return embed === Reflect.get(window, Symbol.for('drawbridge.embed'));
  }, site.ws);
  expect(again).toBe(true);
  expect(await call('page.snapshot')).toMatchObject({ page: { interactive_tree: expect.any(Array) } });
  await end();
  const left = await opened.page.evaluate(() => Reflect.has(window, Symbol.for('drawbridge.embed')));
  expect(left).toBe(false);
  expect(await opened.page.content()).toBe(before);
});

test('[BRG-115] ends the loan on a refused token and tells the owner why', async () => {
  await opened.page.goto(`${site.url}/`);
  const reason = await opened.page.evaluate(
    (url) =>
      new Promise((resolve) => {
        Reflect.get(window, 'drawbridge').startEmbed({
          bridge: { url, token: 'wrong' },
          onState: (state: { kind: string; reason?: string }) => {
            if (state.kind === 'closed') resolve(state.reason);
          },
        });
      }),
    site.poll,
  );
  expect(reason).toBe('refused');
  const left = await opened.page.evaluate(() => Reflect.has(window, Symbol.for('drawbridge.embed')));
  expect(left).toBe(false);
});

/** Presses the bookmark as a person does: the page's policy does not apply to its first line. */
async function pressBookmark(path: string): Promise<void> {
  await opened.page.goto(`${site.url}${path}`);
  const link = bookmarklet({
    script: `${site.url}/drawbridge.js`,
    bridge: { url: site.ws, token: TOKEN },
  });
  await opened.page.evaluate(decodeURIComponent(link.replace(/^javascript:/, '')));
}

test('lends a page with a bookmarklet', async () => {
  await pressBookmark('/plain');
  await site.until((ids) => ids.length === 1);
  expect(await call('page.info')).toMatchObject({ title: 'Plain' });
});

test('reports a page that forbids scripts to the person and does nothing', async () => {
  const delivered = opened.page.waitForEvent('dialog');
  await pressBookmark('/no-script');
  const dialog = await delivered;
  expect(dialog.message()).toContain('does not allow');
  await dialog.dismiss();
  expect(site.bridge.runtimes()).toEqual([]);
});
