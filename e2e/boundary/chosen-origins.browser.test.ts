import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type CallRequest, createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';

/**
 * An agent that may use one origin only. The bridge of this test lets it call every tab, as the relay does in the moment
 * before it knows that a tab has moved: what holds here is the runtime's own check.
 */

const SECRET = 'private balance';
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
  const to = searchParams.get('to');
  if (to !== null) return void response.writeHead(302, { location: to }).end();
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  if (pathname === '/file')
    return void response
      .writeHead(200, {
        'content-type': 'text/plain',
        'content-disposition': 'attachment; filename="bank.txt"',
      })
      .end(SECRET);
  const body =
    pathname === '/bank'
      ? `<title>${SECRET}</title><h1>${SECRET}</h1><a href="/file" download>Statement</a>`
      : `<title>shop</title><a href="http://localhost:${port}/bank">Bank</a><input type="file" aria-label="File">`;
  response.writeHead(200, headers).end(`<!doctype html>${body}`);
});

let harness: BrowserHarness;
let port = 0;
let shop: string;
let bank: string;

beforeAll(async () => {
  port = await listenOnLoopback(server);
  shop = `http://127.0.0.1:${port}`;
  bank = `http://localhost:${port}/bank`;
  const bridge = createBridge({
    clock: systemClock,
    ids: () => randomUUID(),
    originsOf: (owner) => (owner === 'scoped' ? [shop] : undefined),
  });
  harness = await startBrowserHarness({ bridge });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  harness?.bridge.close();
  server.close();
});
beforeEach(async () => {
  await harness.goto(`${shop}/`);
});

/** An answer to the scoped agent, or the error, as text. */
const told = async (name: string, args: object = {}, more: Partial<CallRequest> = {}): Promise<string> =>
  harness.bridge.call({ name, arguments: { ...args }, ...more }, { owner: 'scoped' }).output.then(
    (output) => JSON.stringify(output),
    (error: unknown) => JSON.stringify(error),
  );
const refused = expect.stringContaining('origin_not_chosen');
const idOf = async (selector: string): Promise<string> =>
  ((await harness.call('locator.element_info', { locator: { selector } })) as { id: string }).id;

test('[BRG-202] a press that leads elsewhere shows nothing of the other page, and neither does the next call', async () => {
  const id = await idOf('a');
  const answers = await Promise.all([
    told('element.click', { id }),
    told('page.wait', { for: 'text', text: SECRET, timeout_ms: 3_000 }),
    told('page.snapshot'),
    told('page.read'),
    told('page.info'),
  ]);
  for (const answer of answers) expect(answer).not.toContain(SECRET);
  await harness.call('page.wait', { for: 'text', text: SECRET });
  for (const name of [
    'page.snapshot',
    'page.read',
    'page.info',
    'browser.screenshot',
    'browser.claimed_tabs.list',
  ])
    expect([name, await told(name)]).toEqual([name, refused]);
  const widened = await told('page.info', {}, { origins: [new URL(bank).origin] } as Partial<CallRequest>);
  expect(widened).toEqual(refused);
});

test('[BRG-202] tabs and saved files of another origin are not named, moved, closed, read or uploaded', async () => {
  const { tab } = (await harness.call('browser.open_tab', { url: bank })) as { tab: { tab_id: string } };
  const { tab_id } = tab;
  const runtimeAt = (url: string) =>
    harness.bridge.runtimes().find(({ ready }) => ready.url === url)?.runtime_id;
  await expect.poll(() => runtimeAt(bank)).toBeDefined();
  const at = { runtime_id: runtimeAt(bank) ?? '' };
  const statement = (await harness.call('locator.element_info', { locator: { selector: 'a' } }, at)) as {
    id: string;
  };
  const { saved } = (await harness.call('element.click', { id: statement.id }, at)) as {
    saved: readonly { attachment_id: string }[];
  };
  const [{ attachment_id } = { attachment_id: '' }] = saved;
  const own = { runtime_id: runtimeAt(`${shop}/`) ?? '' };
  expect(await told('browser.claimed_tabs.list', {}, own)).not.toContain(tab_id);
  for (const [name, args] of [
    ['browser.navigate', { tab_id, url: `${shop}/` }],
    ['browser.claimed_tabs.activate', { tab_id }],
    ['browser.close_tab', { tab_id }],
  ] as const)
    expect([name, await told(name, args, own)]).toEqual([name, expect.stringContaining('target_not_found')]);
  expect(await told('browser.files.list', {}, own)).not.toContain(attachment_id);
  expect(await told('browser.files.read', { attachment_id }, own)).toEqual(refused);
  await harness.call('browser.close_tab', { tab_id }, own);
});

test('[BRG-202] a transfer that was written at another origin is not read, inserted, changed or cleared', async () => {
  await harness.goto(bank);
  await harness.call('transfer.write', { label: 'balance', value: SECRET });
  await harness.goto(`${shop}/`);
  const target = { selector: 'input' };
  for (const [name, args] of [
    ['transfer.read', { label: 'balance' }],
    ['transfer.insert', { label: 'balance', target }],
    ['transfer.write', { label: 'balance', value: 'forged' }],
    ['transfer.write', { label: 'balance', value: 'forged', mode: 'append' }],
    ['transfer.clear', { label: 'balance' }],
  ] as const)
    expect([name, await told(name, args)]).toEqual([name, refused]);
  await told('transfer.write', { label: 'own', value: 'mine' });
  expect(await told('transfer.read', { label: 'own' })).toContain('mine');
  expect(await told('transfer.clear')).toContain('"cleared":1');
  expect(await harness.call('transfer.read', { label: 'balance' })).toMatchObject({ value: SECRET });
  // Another agent goes on with a text that was written at both.
  await harness.call('transfer.write', { label: 'balance', value: 'more', mode: 'append' });
  expect(await told('transfer.read', { label: 'balance' })).toEqual(refused);
});

test('[BRG-202] no redirect leads to another origin with an answer', async () => {
  expect(await told('browser.navigate', { url: bank })).toEqual(refused);
  for (const name of ['browser.navigate', 'browser.open_tab']) {
    await harness.goto(`${shop}/`);
    const answer = await told(name, { url: `${shop}/?to=${encodeURIComponent(bank)}` });
    expect(answer).toEqual(refused);
    expect(answer).not.toContain(SECRET);
  }
});
