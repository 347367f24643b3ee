import { lint, printMap, validate } from '@drawbridge/manifest';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { Recording } from '@drawbridge/page/recorder';
import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingHost } from '../../test/record/recording-host.ts';
import { callIn } from '../../test/record/replay.ts';
import type { SurfaceHost } from '../host.ts';
import { type RecordedMapOptions, recordedMap } from './recorded-map.ts';
import { replayWalk } from './walk.ts';
import { recordWalk } from './walk-recorder.ts';

let shop: Shop;
const evaluator = createWorkerEvaluator({ maxMs: 5000 });
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => Promise.all([shop.close(), evaluator.close()]));

type Page = OpenPage['page'];

async function recorded(start: string, walk: (page: Page) => Promise<void>): Promise<Recording> {
  await using opened = await openPage({ baseURL: shop.url });
  const { page } = opened;
  const host = await recordingHost(page);
  await page.goto(start);
  const recorder = await recordWalk(host);
  await walk(page);
  return await recorder.stop();
}

/** The map made from a recording, after full validation. */
function checkedMap(recording: Recording, options?: RecordedMapOptions) {
  const made = recordedMap(recording, options);
  const text = printMap(made.map);
  expect(validate(text)).toMatchObject({ ok: true, errors: [], warnings: [] });
  expect(lint(made.map, { text })).toEqual([]);
  return made;
}

async function replayed({ map, walk }: ReturnType<typeof checkedMap>, input = {}): Promise<unknown[]> {
  await using opened = await openPage({ baseURL: shop.url });
  const { page } = opened;
  return await replayWalk(walk, {
    goto: async (path) => void (await page.goto(path)),
    call: (tool, given) => callIn(page, map, evaluator, tool, { ...given, ...input }),
  });
}

describe('a walk in the shop', () => {
  test('turns a search sent with Enter into a tool that searches for anything', async () => {
    const recording = await recorded('/', async (page) => {
      await page.locator('#find').click();
      await page.keyboard.type('lamp');
      await page.keyboard.press('Enter');
      await page.locator('#search [role=status]', { hasText: 'lamp' }).waitFor();
    });
    expect(recording.steps.map(({ kind, element }) => [kind, element.selector])).toEqual([
      ['type', '#find'],
      ['press', '#find'],
    ]);
    const made = checkedMap(recording, { name: 'search.open' });
    const [tool] = made.map.tools;
    expect(tool).toMatchObject({ name: 'search.open', x_actions: { effect: 'read' } });
    expect(tool?.input_schema).toMatchObject({
      required: ['query'],
      properties: { query: { type: 'string' } },
    });
    expect(await replayed(made)).toEqual([{ shown: '3 products for “lamp”' }]);
    expect(await replayed(made, { query: 'teapot' })).toEqual([
      { shown: expect.stringContaining('“teapot”') },
    ]);
  });

  test('turns a product put into the cart into a tool with a proof', async () => {
    const recording = await recorded('/products/dusk-table-lamp', async (page) => {
      const quantity = page.locator('article.product input[name=quantity]');
      await quantity.selectText();
      await page.keyboard.type('2');
      await page.getByTestId('add-to-cart').click();
      await page.locator('#toasts .toast').waitFor();
    });
    expect(recording.steps.map(({ kind }) => kind)).toEqual(['type', 'click']);
    const made = checkedMap(recording);
    const [tool] = made.map.tools;
    expect(tool).toMatchObject({
      name: 'recorded.add_to_cart',
      target: { url_contains: '/products/' },
      input_schema: { properties: { quantity: { type: 'integer' } } },
      x_actions: { effect: 'act' },
    });
    await replayed(made);
    await expect(replayed(made, { quantity: 'many' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('turns a walk over several pages into one tool', async () => {
    const recording = await recorded('/search?q=lamp', async (page) => {
      await page.locator('a.name[href="/products/dusk-table-lamp"]').click();
      await page.waitForURL('**/products/**');
      await page.getByTestId('add-to-cart').click();
      await page.locator('#toasts .toast').waitFor();
      await page.locator('nav.you a[href="/cart"]').click();
      await page.locator('#cart .button').waitFor();
    });
    expect(recording.steps.map(({ kind, url }) => [kind, new URL(url).pathname])).toEqual([
      ['click', '/search'],
      ['click', '/products/dusk-table-lamp'],
      ['click', '/products/dusk-table-lamp'],
    ]);
    const made = checkedMap(recording, { name: 'lamp.buy' });
    const paced = made.map.tools[0]?.workflow?.steps.filter(({ settle_after }) => settle_after !== undefined);
    expect(paced?.map(({ id }) => id)).toEqual(['press_add_to_cart']);
    expect(await replayed(made)).toHaveLength(1);
  });
});

const FORM = `<!doctype html><title>Sign in</title><h1>Sign in</h1>
<form onsubmit="event.preventDefault(); document.querySelector('p').textContent = 'Welcome, ' + pass.value">
  <label>Email <input name="email" type="email"></label>
  <label>Password <input name="pass" type="password" id="pass"></label>
  <label>Plan <select name="plan"><option>Free<option>Large</select></label>
  <label><input type="checkbox" name="stay"> Stay signed in</label>
  <label><input type="radio" name="way" value="a"> By app</label>
  <label><input type="radio" name="way" value="b"> By mail</label>
  <input type="file" aria-label="Picture" name="picture">
  <button>Go on</button>
</form>
<p role="status"></p><textarea aria-label="Note"></textarea>`;

async function onForm(walk: (page: Page) => Promise<void>): Promise<Recording> {
  await using opened = await openPage();
  const { page } = opened;
  const recorder = await recordWalk(await hostOnForm(page));
  await walk(page);
  return await recorder.stop();
}

async function hostOnForm(page: Page): Promise<SurfaceHost> {
  await page.route('https://page.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: FORM }),
  );
  const host = await recordingHost(page);
  await page.goto('https://page.test/in/here');
  return host;
}

/** Chooses as a person would: Playwright's own way dispatches script events. */
async function chooseFile(page: Page, selector: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  await devtools.send('DOM.setFileInputFiles', { nodeId, files: [import.meta.filename] });
}

describe('a recorder', () => {
  const SECRET = 'correct horse battery';

  test('never reports the content of a secret field, wherever the page repeats it', async () => {
    const recording = await onForm(async (page) => {
      await page.getByLabel('Email').pressSequentially('who@example.com');
      await page.getByLabel('Password').pressSequentially(SECRET);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByText('Welcome').waitFor();
    });
    const made = checkedMap(recording);
    const delivered = JSON.stringify([recording, made]);
    expect(delivered).not.toContain(SECRET);
    expect(delivered).not.toContain('horse');
    expect(JSON.stringify(made.map)).not.toContain('who@example.com');
    expect(made.map.tools[0]?.input_schema).toMatchObject({ required: ['email', 'pass'] });
    expect(made.walk.calls[0]).toMatchObject({ input: { email: 'who@example.com' }, secrets: ['pass'] });
    await expect(replayed(made)).rejects.toThrow('needs what is not written down: pass');
  });

  test('reports each action of a person once', async () => {
    const recording = await onForm(async (page) => {
      await page.getByLabel('Plan').press('ArrowDown');
      await page.getByText('Stay signed in').click();
      await page.getByText('By mail').click();
      await chooseFile(page, 'input[type=file]');
      await page.getByLabel('Email').pressSequentially('a@b.example');
      await page.getByRole('button', { name: 'Go on' }).press('Enter');
    });
    expect(recording.steps.map(({ kind, element }) => [kind, element.name])).toEqual([
      ['choose', 'Plan'],
      ['check', 'Stay signed in'],
      ['click', 'By mail'],
      ['files', 'Picture'],
      ['type', 'Email'],
      ['click', 'Go on'],
    ]);
    const made = checkedMap(recording);
    expect(made.remarks).toContainEqual(expect.stringContaining('Files were given to “Picture”'));
    expect(made.map.tools[0]?.input_schema).toMatchObject({
      required: ['plan', 'email'],
      properties: { plan: { enum: ['Free', 'Large'] }, stay: { type: 'boolean', default: true } },
    });
  });

  test('ignores script events, and Enter where it sends nothing', async () => {
    const recording = await onForm(async (page) => {
      await page.evaluate(() => {
        document.querySelector('button')?.click();
        document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
        document.querySelector('input')?.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.getByLabel('Note').pressSequentially('one\ntwo');
    });
    expect(recording.steps.map(({ kind }) => kind)).toEqual(['type']);
    expect(recording.end.landmarks.map(({ text }) => text)).toContain('Sign in');
  });

  test('reports each step as it happens, and nothing after its end', async () => {
    await using opened = await openPage();
    const { page } = opened;
    const received: string[] = [];
    const recorder = await recordWalk(await hostOnForm(page), ({ kind }) => received.push(kind));
    await page.getByRole('button', { name: 'Go on' }).click();
    expect(received).toEqual(['click']);
    await page.getByLabel('Email').pressSequentially('a@b.example');
    expect((await recorder.stop()).steps.map(({ kind }) => kind)).toEqual(['click', 'type']);
    await page.getByRole('button', { name: 'Go on' }).click();
    expect(received).toEqual(['click']);
    expect(await page.locator('[data-drawbridge-recorded]').count()).toBe(0);
  });

  test('starts once, and only looks when never started', async () => {
    await using opened = await openPage();
    const { page } = opened;
    const host = await hostOnForm(page);
    await host.callPage('record.start', []);
    const recorder = await recordWalk(host);
    await page.getByRole('button', { name: 'Go on' }).click();
    expect((await recorder.stop()).steps).toHaveLength(1);
    expect(await host.callPage('record.stop', [])).toMatchObject({ steps: [], end: { title: 'Sign in' } });
  });
});
