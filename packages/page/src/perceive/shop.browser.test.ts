import { type OpenPage, openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPage, withPageCode } from '../../test/page-harness.ts';
import { stitch } from './stitch.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

async function visit(path: string): Promise<TestPage & { opened: OpenPage }> {
  const opened = await openPage({ baseURL: shop.url });
  await opened.page.goto(path);
  return { ...(await withPageCode(opened)), opened };
}

const named = async (page: TestPage, name: RegExp) =>
  (await page.nodes({ scope: 'page' })).filter((node) => name.test(node.n));

describe('awkward corners of the shop', () => {
  test('[INT-223] names every field of a badly labelled address form', async () => {
    await using page = await visit('/corners/address');
    const fields = (await page.nodes({ scope: 'page' })).filter(({ r }) => /^(?:inp|chk|radio)$/.test(r));
    expect(fields.map(({ n }) => n)).toEqual([
      'Search the shop',
      'First name',
      'Last name',
      'Company (if any)',
      'Street and number',
      'Postcode',
      'Town',
      'Phone',
      'Floor',
      'Ring at',
      'Note for the courier',
      'Leave with a neighbour',
      'morning',
      'evening',
    ]);
  });

  test('[INT-229] reports position and more rows for a list of ten thousand', async () => {
    await using page = await visit('/corners/rows');
    await page.page.getByText('Ash peg 00001').waitFor();
    const { page: seen } = await page.snapshot();
    const list = seen.interactive_tree.find((node) => node.n === 'Stock');
    expect(list).toMatchObject({ r: 'region', scr: { depth: '0%', h: true } });
    expect(seen.scrollableContainers).toEqual([{ id: list?.i, depth: '0%', hasMore: true }]);
    const reserves = seen.interactive_tree.filter((node) => node.n.startsWith('Reserve'));
    expect(reserves.length).toBeGreaterThanOrEqual(9);
    expect(reserves.length).toBeLessThanOrEqual(11);
    expect(reserves.every((node) => node.occ === undefined)).toBe(true);
  });

  test('[INT-230] lists the next rows after scrolling, under ids of recycled nodes', async () => {
    await using page = await visit('/corners/rows');
    await page.page.getByText('Ash peg 00001').waitFor();
    await page.run(() => document.querySelector('#rows')?.scrollTo(0, 44 * 5000));
    await page.page.getByText('05001').waitFor();
    expect((await named(page, /^Reserve .* 05/)).length).toBeGreaterThan(5);
  });

  test('[INT-213] [INT-214] reads same-origin and srcdoc frames, and names others for the host', async () => {
    await using page = await visit('/corners/frames');
    await page.page.frameLocator('[title=Newsletter]').getByText('Subscribe').waitFor();
    await page.page.frameLocator('[title=Note]').getByRole('button').waitFor();
    const snapshot = await page.snapshot({ scope: 'page' });
    const inFrames = snapshot.page.interactive_tree.filter((node) => node.f !== undefined);
    expect(inFrames.map(({ n }) => n)).toEqual([
      'Email for the newsletter',
      'Subscribe',
      'A button without an address',
    ]);
    expect(inFrames.every(({ i, f }) => i.startsWith(`f${f}_`))).toBe(true);
    expect(snapshot.frames.map(({ url }) => new URL(url).pathname)).toEqual(['/card', '/partner']);
  });

  test('[INT-213] stitches a cross-origin frame in at its place', async () => {
    await using page = await visit('/corners/frames');
    const { page: main, frames } = await page.snapshot();
    const [card] = frames;
    const frame = page.page.frames().find((each) => each.url().includes('/card'));
    if (card === undefined || frame === undefined) throw new Error('The page has no card frame.');
    await frame.getByText('Card number').waitFor();
    const inside = await withPageCode(page.opened, { frame, prefix: `f${card.f}_` });
    const whole = stitch(main, [{ f: card.f, page: (await inside.snapshot()).page, box: card.box }]);
    const number = whole.interactive_tree.find(({ n }) => n === 'Card number');
    expect(number).toMatchObject({ r: 'inp', f: card.f });
    const [x, y] = number?.xy ?? [0, 0];
    await page.page.mouse.click(x, y);
    expect(await frame.evaluate(() => document.activeElement?.id)).toBe('number');
  });

  test('[INT-214] lists open, nested and declarative shadow trees', async () => {
    await using page = await visit('/corners/shadow');
    expect((await named(page, /Set alert|Tell me below|Remind me/)).map(({ n }) => n)).toEqual([
      'Tell me below (€)',
      'Set alert',
      'Tell me below (€)',
      'Set alert',
      'Remind me in spring',
    ]);
  });

  test('[INT-215] lists rich-text editors as fields with their text as value', async () => {
    await using page = await visit('/corners/editor');
    await page.page.getByRole('textbox', { name: 'Card to go' }).pressSequentially('Sleep well');
    expect(await named(page, /^Card to go with the gift$/)).toMatchObject([{ r: 'inp', v: 'Sleep well' }]);
    expect(await named(page, /^Review$/)).toMatchObject([{ r: 'inp' }]);
  });

  test('[INT-215] lists the file field and its button, but no invisible field', async () => {
    await using page = await visit('/corners/upload');
    expect((await named(page, /Photo|Choose more|Drop/)).map(({ r, n }) => `${r} ${n}`)).toEqual([
      'btn Photo of the damage',
      'btn Choose more files…',
    ]);
  });

  test('[INT-227] reports the page as covered by a modal dialog, but not its own buttons', async () => {
    await using page = await visit('/corners/dialogs');
    await page.page.getByRole('button', { name: 'Open a modal dialog' }).click();
    expect(await named(page, /^(?:Alert|Keep it|Remove|Why\?)$/)).toMatchObject([
      { n: 'Alert', occ: true },
      { n: 'Why?' },
      { n: 'Keep it' },
      { n: 'Remove' },
    ]);
    expect((await named(page, /^Keep it$/))[0]).not.toHaveProperty('occ');
  });

  test('[INT-215] lists a canvas as one element', async () => {
    await using page = await visit('/corners/canvas');
    expect(await named(page, /Floor plan/)).toMatchObject([{ r: 'application' }]);
  });

  test('[INT-215] lists elements that only listen, as far as a page can know', async () => {
    await using page = await visit('/corners/listeners');
    await page.page.getByText('React listens').waitFor();
    expect((await named(page, /^A /)).map(({ r, n }) => `${r} ${n}`)).toEqual([
      'btn A span with a pointing hand',
      'btn A div that React listens for',
      'btn A div that takes the keyboard',
      'btn A pointing hand and nothing behind it',
    ]);
  });

  test('needs no Trusted Types policy and no eval on a strict page', async () => {
    await using page = await visit('/corners/strict');
    expect((await named(page, /Your question|Ask/)).map(({ n }) => n)).toEqual(['Your question', 'Ask']);
    expect(await page.skeleton()).toContain('Ask');
    expect((await page.fullDom()).html).toContain('Your question');
    expect((await page.read()).text).toContain('Ask');
  });

  test('[INT-211] [INT-210] gives each button its own id on a page that forges ids', async () => {
    await using page = await visit('/corners/hostile');
    const before = await named(page, /Keep the lantern|Delete the list|Share the list/);
    await page.page.getByRole('button', { name: 'Move the ids' }).click();
    await page.page.getByRole('button', { name: 'Copy an id' }).click();
    expect(
      (await named(page, /Keep the lantern|Delete the list|Share the list/)).map(({ i, n }) => [i, n]),
    ).toEqual(before.map(({ i, n }) => [i, n]));
    await page.page.getByRole('button', { name: 'Cover them' }).click();
    expect(
      (await named(page, /Keep the lantern|Delete|Share/)).slice(0, 3).every(({ occ }) => occ === true),
    ).toBe(true);
  });

  test('skips text for machines only', async () => {
    await using page = await visit('/corners/hostile');
    const { text } = await page.read({ max_tokens: 20_000 });
    const context = (await page.snapshot({ scope: 'page', context: true })).context
      .map((line) => line.text)
      .join('\n');
    expect(text).toContain('It burns eight hours');
    for (const sent of [text, context]) {
      expect(sent).not.toMatch(/[\u200B-\u200F\u2060-\u2064]/u);
    }
    const unseen = await page.page
      .locator(
        'article p[style*="display: none"], article p[style*="1px"], article p[style*="opacity: 0"], article p[style*="-9999px"]',
      )
      .allTextContents();
    expect(unseen.length).toBe(4);
    for (const line of unseen) expect(text).not.toContain(line.slice(0, 40));
  });

  test('[INT-276] reports a password and a code as filled only, even when shown', async () => {
    await using page = await visit('/login');
    await page.page.getByLabel('Password').fill('CANARY-word');
    await page.page.getByLabel('Six-digit code').fill('918273');
    await page.page.getByRole('button', { name: 'Show' }).click();
    const sent = JSON.stringify([
      await page.snapshot({ scope: 'page' }),
      await page.skeleton(),
      await page.fullDom(),
      await page.read(),
    ]);
    expect(sent).not.toMatch(/CANARY-word|918273/);
    expect(await named(page, /^(?:Password|Six-digit code)$/)).toMatchObject([
      { s: 'filled' },
      { s: 'filled' },
    ]);
  });

  test('[INT-237] reports an idle page as unchanged', async () => {
    await using page = await visit('/');
    const { snapshot_id } = await page.snapshot();
    expect(await page.delta(snapshot_id)).toMatchObject({ unchanged: true });
  });
});
