import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startCommittingSite } from './committing-site.ts';

let site: Awaited<ReturnType<typeof startCommittingSite>>;
let harness: BrowserHarness;
const nobody = answeringPerson(() => 'deny');

beforeAll(async () => {
  site = await startCommittingSite();
  harness = await startBrowserHarness({ asker: nobody });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  nobody.asked.length = 0;
  site.done.length = 0;
});

type Step = readonly [name: string, args: (page: Place) => object | Promise<object>];

/** The current page, with what an agent needs to navigate it. */
interface Place {
  readonly id: (name: string) => Promise<string>;
  readonly at: (name: string) => Promise<{ x: number; y: number }>;
}

interface Node {
  readonly i: string;
  readonly n: string;
  readonly xy: readonly [number, number];
}

/** A frame loads later than the page around it. */
async function nodeNamed(name: string): Promise<Node> {
  let found: Node | undefined;
  const look = async () => {
    const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
      page: { interactive_tree: readonly Node[] };
    };
    found = page.interactive_tree.find(({ n }) => n === name);
    return page.interactive_tree.map(({ n }) => n);
  };
  await expect.poll(look).toContain(name);
  if (found === undefined) throw new Error(`Nothing is called ${name}.`);
  return found;
}

const place: Place = {
  id: async (name) => (await nodeNamed(name)).i,
  at: async (name) => {
    const [x, y] = (await nodeNamed(name)).xy;
    return { x, y };
  },
};

/** Runs with a grant for everything, so that no question is asked. */
async function asAllowed(work: () => Promise<void>): Promise<void> {
  const [tab] = harness.surfaces.runtimes();
  const known = harness.bridge.runtimes().find(({ runtime_id }) => runtime_id === tab?.runtimeId);
  const key = known?.ready.runtime_key ?? '';
  harness.grants.lend(key, 'the test', ['read', 'act', 'irreversible']);
  await work().finally(() => harness.grants.lend(key, 'the test'));
}

const focus = (selector: string): Step => ['dom.focus', () => ({ locator: { selector } })];
const field = { target: { selector: 'input, textarea' } };

const ROUTES: readonly [route: string, path: string, ...steps: Step[]][] = [
  ['a press by id', '/login', ['element.click', async ({ id }) => ({ id: await id('Go') })]],
  ['a press at a point', '/login', ['pointer.click', ({ at }) => at('Go')]],
  ['a double press at a point', '/danger', ['pointer.double_click', ({ at }) => at('Delete the account')]],
  [
    'a button that is none of the form’s',
    '/continue',
    ['element.click', async ({ id }) => ({ id: await id('Continue') })],
  ],
  ['Enter where the focus is', '/login', focus('input'), ['keyboard.press', () => ({ key: 'Enter' })]],
  ['Space where the focus is', '/danger', focus('button'), ['keyboard.press', () => ({ key: 'Space' })]],
  [
    'Tab, then Enter',
    '/danger',
    ['element.keys', async ({ id }) => ({ id: await id('First'), keys: ['Tab'] })],
    ['element.keys', () => ({ keys: ['Enter'] })],
  ],
  [
    'Enter in a form that sends',
    '/message',
    ['element.keys', async ({ id }) => ({ id: await id('Words'), keys: ['Enter'] })],
  ],
  ['a typed line', '/message', ['element.type', async ({ id }) => ({ id: await id('Words'), text: '\n' })]],
  ['an inserted line', '/message', ['text.insert', () => ({ ...field, text: '\n', mode: 'append' })]],
  ['a pasted line', '/message', ['clipboard.paste', () => ({ ...field, text: 'x\n' })]],
  [
    'a transferred line',
    '/message',
    ['transfer.write', () => ({ label: 'line', value: 'x\n' })],
    ['transfer.insert', () => ({ ...field, label: 'line', mode: 'append' })],
  ],
  ['Enter in a chat', '/chat', ['element.keys', async ({ id }) => ({ id: await id('Say'), keys: 'Enter' })]],
  [
    'a choice that sends',
    '/bulk',
    ['element.select', async ({ id }) => ({ id: await id('Bulk'), choice: { index: 1 } })],
  ],
  [
    'a written choice that sends',
    '/bulk',
    ['text.insert', () => ({ target: { selector: 'select' }, text: 'Delete all' })],
  ],
  ['a written tick', '/tick', ['text.insert', () => ({ target: { selector: '#tick' }, text: 'true' })]],
  [
    'files',
    '/files',
    [
      'element.upload',
      async ({ id }) => ({ id: await id('Picture'), files: [{ name: 'a.txt', base64: 'YQ==' }] }),
    ],
  ],
  [
    'a drag from where it ends',
    '/danger',
    ['pointer.drag', () => ({ from: { selector: 'button' }, to: { selector: 'button' } })],
  ],
  ['a press by id in a frame', '/framed', ['element.click', async ({ id }) => ({ id: await id('Go on') })]],
  ['a press at a point in a frame', '/framed', ['pointer.click', ({ at }) => at('Go on')]],
  [
    'Enter where the focus is, in a frame',
    '/framed',
    ['element.focus', async ({ id }) => ({ id: await id('Go on') })],
    ['keyboard.press', () => ({ key: 'Enter' })],
  ],
];

test.each(ROUTES)('[BRG-128] asks before %s, and a refusal commits nothing', async (_, path, ...steps) => {
  await harness.goto(`${site.url}${path}`);
  const last = steps.length - 1;
  for (const [at, [name, args]] of steps.entries()) {
    const call = harness.call(name, await args(place));
    if (at < last) await call;
    else await expect(call).rejects.toMatchObject({ code: 'permission_denied' });
  }
  expect(nobody.asked).toMatchObject([{ name: steps.at(-1)?.[0], effect: 'irreversible' }]);
  await harness.call('page.wait', { for: 'stable' });
  expect(site.done).toEqual([]);
});

test.each(sampled(ROUTES, 4))(
  '%s would have committed something without the refusal',
  async (_, path, ...steps) => {
    await harness.goto(`${site.url}${path}`);
    await asAllowed(async () => {
      for (const [name, args] of steps) await harness.call(name, await args(place));
      await expect.poll(() => site.done).not.toEqual([]);
      expect(nobody.asked).toEqual([]);
    });
  },
);

test('[BRG-128] accepting a page’s dialog asks with its text; dismissing it does not ask', async () => {
  await harness.goto(`${site.url}/confirm`);
  const press = async () =>
    harness.call('element.click', { id: await place.id('Tidy up') }).catch(() => undefined);
  await press();
  await expect(harness.call('browser.dismiss_dialog', { accept: true })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(nobody.asked).toHaveLength(1);
  expect(nobody.asked[0]?.sentence).toContain('Erase the disk?');
  expect(await harness.call('browser.dismiss_dialog', {})).toMatchObject({ accepted: false });
  expect(nobody.asked).toHaveLength(1);
  expect(site.done).toEqual([]);
});

test('[BRG-128] asks before reading the clipboard, and a refusal returns nothing of it', async () => {
  await harness.goto(`${site.url}/message`);
  await harness.call('clipboard.write', { text: 'mine' });
  expect(nobody.asked).toEqual([]);
  for (const [name, args] of [
    ['clipboard.read', {}],
    ['clipboard.paste', field],
  ] as const) {
    await expect(harness.call(name, args)).rejects.toMatchObject({ code: 'permission_denied' });
  }
  expect(nobody.asked.map(({ sentence }) => sentence)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('clipboard of this computer')),
  );
});

test('[BRG-128] no page keeps the clipboard permission after the agent has used it', async () => {
  await harness.goto(`${site.url}/snoop`);
  const asBefore = await nodeNamed('Snoop: prompt');
  await harness.call('clipboard.write', { text: 'mine' });
  await asAllowed(async () => expect(await harness.call('clipboard.read')).toEqual({ text: 'mine' }));
  await harness.call('element.click', { id: asBefore.i });
  await nodeNamed('Snoop: prompt, at last');
});

test('[BRG-128] an element in a frame of another origin is classified by its own context', async () => {
  await harness.goto(`${site.url}/framed`);
  const press = harness.call('pointer.click', await place.at('Go on'));
  await expect(press).rejects.toMatchObject({ code: 'permission_denied' });
  expect(nobody.asked[0]?.sentence).toContain('“Go on”');
  expect(await harness.call('pointer.click', await place.at('Card'))).toMatchObject({ clicked: true });
  await expect(harness.call('keyboard.press', { key: 'Enter' })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(nobody.asked[1]?.sentence).toContain('“Card → Go on”');
  expect(await harness.call('keyboard.press', { key: 'ArrowLeft' })).toMatchObject({ pressed: true });
  expect(nobody.asked).toHaveLength(2);
});

const ORDINARY: readonly [what: string, ...steps: Step[]][] = [
  ['a menu', ['element.click', async ({ id }) => ({ id: await id('Menu') })]],
  ['a menu at a point', ['pointer.click', ({ at }) => at('Menu')]],
  ['a cookie banner', ['element.click', async ({ id }) => ({ id: await id('Accept all') })]],
  ['adding to a cart', ['element.click', async ({ id }) => ({ id: await id('Add to cart') })]],
  ['the next page', ['element.click', async ({ id }) => ({ id: await id('Next page') })]],
  ['a password', ['element.fill', async ({ id }) => ({ id: await id('Password'), text: 'abc' })]],
  ['a press into a password field', ['element.click', async ({ id }) => ({ id: await id('Password') })]],
  ['sorting', ['element.select', async ({ id }) => ({ id: await id('Sort'), choice: { index: 1 } })]],
  ['a filter', ['element.check', async ({ id }) => ({ id: await id('In stock') })]],
  [
    'a search',
    ['element.type', async ({ id }) => ({ id: await id('Query'), text: 'lamp post' })],
    ['element.keys', async ({ id }) => ({ id: await id('Query'), keys: ['Enter'] })],
  ],
  ['a typed search', ['element.type', async ({ id }) => ({ id: await id('Query'), text: 'lamp\n' })]],
];

test.each(ORDINARY)('[BRG-128] does not ask about %s', async (_, ...steps) => {
  await harness.goto(`${site.url}/ordinary`);
  for (const [name, args] of steps) await harness.call(name, await args(place));
  expect(nobody.asked).toEqual([]);
});
