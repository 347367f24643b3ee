import { type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageCodeBundle } from '../../test/page-harness.ts';
import type {} from '../../test/whole-page.ts';
import type { ActionResult } from '../index.ts';

let opened: OpenPage;
let shown = '';

beforeAll(async () => {
  opened = await openPage();
  await opened.page.addInitScript(
    `${await pageCodeBundle()}; globalThis.wholePage = drawbridgePage.createPage({ window });`,
  );
  await opened.page.route('http://page.test/**', (route) =>
    // A pending request keeps the document from being complete.
    route.request().url().endsWith('/never')
      ? undefined
      : route.fulfill({ contentType: 'text/html', body: `<!doctype html><meta charset=utf-8>${shown}` }),
  );
});
afterAll(() => opened.close());

/** Opens a page in which page code starts first, as with a host. */
async function arriveAt(html: string, waitUntil: 'load' | 'domcontentloaded' = 'load') {
  shown = html;
  const { page } = opened;
  await page.goto('http://page.test/', { waitUntil });
  return {
    page,
    report: () => page.evaluate(() => wholePage.recentEvents()),
    click: (name: string): Promise<ActionResult> =>
      page.evaluate((wanted) => {
        const { page } = wholePage.snapshot({});
        return wholePage.click(page.interactive_tree.find(({ n }) => n === wanted)?.i ?? '');
      }, name),
  };
}

const NOTHING = { recentEvents: [], hasErrors: false, hasSuccess: false };
const whenParsed = (script: string) =>
  `<script>document.addEventListener('DOMContentLoaded', () => { ${script} });</script>`;

test.each([
  ['its parser', `<h1>Saved lamps</h1><p>Could not ship to islands.</p><p role=status>3 saved</p>`],
  [
    'a script on its way',
    `<main></main><script>document.querySelector('main').innerHTML =
    '<p>Added today</p><p role=status>3 saved</p>'</script>`,
  ],
  [
    'a script that draws it when it is parsed',
    `<main></main>${whenParsed(
      `document.querySelector('main').innerHTML = '<h1>Saved lamps</h1><p>Sold out: not available</p>'`,
    )}`,
  ],
  ['an alert that says nothing of how it went', `<p role=alert>Free returns until Sunday</p>`],
])('[INT-232] [INT-234] what a page comes with is no event: by %s', async (_, html) => {
  const { report } = await arriveAt(html);
  expect(await report()).toEqual(NOTHING);
});

test.each([
  ['a status', `<div role=status>Saved to your list.</div>`, "Added: 'Saved to your list.'"],
  ['an alert', `<div role=alert>Der Bestand reicht dafür</div>`, "Error: 'Der Bestand reicht dafür'"],
  ['a dialog', `<div role=dialog><h2>Cookies</h2><button>Agree</button></div>`, "Dialog: 'Cookies'"],
])('[INT-232] %s that came and went as soon as the page was parsed is told', async (_, html, delivered) => {
  const { page, report } = await arriveAt(
    `<p>Page</p>${whenParsed(`const holder = document.createElement('div');
      holder.innerHTML = '${html}';
      document.body.append(holder);
      requestAnimationFrame(() => { holder.remove(); document.documentElement.id = 'gone'; });`)}`,
  );
  await page.waitForSelector('#gone', { state: 'attached' });
  expect((await report()).recentEvents).toEqual([expect.stringMatching(new RegExp(`ago\\] ${delivered}$`))]);
});

test("[INT-234] reports an alert on a form's answer page as an error", async () => {
  const { report } = await arriveAt(
    `<div role=alert>Your card was declined.</div><div role=alert hidden>Wrong password</div>${'<p>Lamp</p>'.repeat(400)}`,
  );
  expect(await report()).toMatchObject({
    recentEvents: [expect.stringMatching(/Error: 'Your card was declined\.'$/)],
    hasErrors: true,
  });
});

test('[INT-232] reports elements that appear after the first snapshot, announced or not', async () => {
  const { page, report } = await arriveAt('<p>Page</p>');
  expect(await report()).toEqual(NOTHING);
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div>Lamp moved</div>'));
  expect((await report()).recentEvents).toEqual([expect.stringMatching(/Added: 'Lamp moved'$/)]);
});

test('[INT-246] reports the effect of an action on a loading page', async () => {
  const { page, report, click } = await arriveAt(
    `<img src=/never><button onclick="document.body.insertAdjacentHTML('beforeend', '<div>Could not save.</div>')">Save</button>`,
    'domcontentloaded',
  );
  expect(await page.evaluate(() => document.readyState)).toBe('interactive');
  expect(await report()).toEqual(NOTHING);
  expect(await click('Save')).toMatchObject({ ok: true, errors_detected: ['Could not save.'] });
});
