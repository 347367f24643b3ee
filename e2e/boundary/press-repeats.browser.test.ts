import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { personWho, type Rig, startRig } from '../rig.suite.ts';

/** Attacks between the events of one call: a later press, key or activation differs from the weighed one. */

interface Served {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const pages = new Map<string, Served>();
let decision: 'once' | 'deny' = 'deny';
const person = personWho(() => decision);
let rig: Rig;
let port: number;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const { body, headers } = pages.get(pathname) ?? { body: '', headers: {} };
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    .end(`<!doctype html><title>calm</title>${body}`);
});

beforeAll(async () => {
  port = await listenOnLoopback(server);
  rig = await startRig({ asker: person });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  server.close();
});
beforeEach(() => {
  person.asked.length = 0;
  decision = 'deny';
});

let shown = 0;
async function show(body: string, headers: Served['headers'] = {}): Promise<void> {
  const path = `/${++shown}`;
  pages.set(path, { body, headers });
  await rig.goto(`http://127.0.0.1:${port}${path}`);
}

const idBy = async (selector: string): Promise<string> =>
  ((await rig.call('locator.element_info', { locator: { selector } })) as { id: string }).id;
const outcome = (name: string, args: object): Promise<string> =>
  rig.call(name, args).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

test('[B8] actions in a document that runs no scripts are answered', async () => {
  const headers = { 'content-security-policy': 'sandbox allow-forms allow-same-origin' };
  await show(`<a id=next href="#there">Show more</a><input id=word><p id=there>There</p>`, headers);
  expect(await outcome('element.fill', { id: await idBy('#word'), text: 'lamp' })).toBe('done');
  expect(await outcome('element.click', { id: await idBy('#next') })).toBe('done');
  expect(await outcome('keyboard.press', { key: 'Enter' })).toBe('done');
  expect(await rig.call('page.info')).toMatchObject({ url: expect.stringContaining('#there') });
});
