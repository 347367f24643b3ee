import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';

/** Attacks with a modifier that was put down in an earlier call, so that the next call names a harmless key. */

const PAGE = `<!doctype html><title>calm</title>
<button id="pay" accesskey="p" onclick="document.title = 'paid'">Pay now</button>
<button id="copy" onclick="const text = document.createElement('textarea'); text.value = 'of the person';
  document.body.append(text); text.select(); document.execCommand('copy'); text.remove()">Next</button>
<input id="field" aria-label="Field" oninput="document.title = 'field ' + this.value">`;

const person = answeringPerson(() => 'deny');
const server = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
);
let harness: BrowserHarness;
let port: number;

beforeAll(async () => {
  port = await listenOnLoopback(server);
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  server.close();
});
beforeEach(async () => {
  person.asked.length = 0;
  await harness.goto(`http://127.0.0.1:${port}/${++shown}`);
});
let shown = 0;

const idOf = async (selector: string): Promise<string> =>
  ((await harness.call('locator.element_info', { locator: { selector } })) as { id: string }).id;
const title = async (): Promise<string> => ((await harness.call('page.info')) as { title: string }).title;
const outcome = (args: object): Promise<unknown> =>
  harness.call('element.keys', args).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const holding = async (keys: string, run: () => Promise<unknown>): Promise<void> => {
  expect(await outcome({ keys, phase: 'down' })).toBe('done');
  try {
    await run();
  } finally {
    await outcome({ keys, phase: 'up' });
  }
};

test('[BRG-187] a paste with a held modifier asks as the whole chord does', async () => {
  await harness.call('element.click', { id: await idOf('#copy') });
  const id = await idOf('#field');
  const attacks = [
    ['Control', { id, keys: 'v' }],
    ['Control', { id, keys: ['Home', 'V'] }],
    ['Control', { id, keys: 'v', phase: 'down' }],
    ['Control', { id, keys: 'v', hold_ms: 1 }],
    ['Control+Shift', { id, keys: 'v' }],
    ['Shift', { id, keys: 'Insert' }],
  ] as const;
  for (const [modifier, args] of attacks) {
    person.asked.length = 0;
    await holding(modifier, async () =>
      expect([args, await outcome(args)]).toEqual([args, 'permission_denied']),
    );
    expect(person.asked).toHaveLength(1);
  }
  await holding('Control', async () => {
    await harness.call('element.focus', { id });
    await expect(harness.call('keyboard.press', { key: 'v' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
  expect(await title()).toBe('calm');
});

test('[BRG-128] an access key with Alt held presses no button', async () => {
  const id = await idOf('#field');
  await holding('Alt', () => outcome({ id, keys: 'p' }));
  await holding('Alt+Shift', () => outcome({ id, keys: 'p' }));
  expect(await title()).toBe('calm');
});

test('a key with a held modifier is its chord, and alone again afterwards', async () => {
  const id = await idOf('#field');
  await harness.call('element.fill', { id, text: 'one' });
  await holding('Control', () => outcome({ id, keys: 'a' }));
  expect(await outcome({ id, keys: 'b' })).toBe('done');
  expect(await title()).toBe('field b');
  await holding('Shift', () => outcome({ id, keys: ['ArrowLeft', 'Delete'] }));
  expect(await title()).toBe('field');
});
