import { tokensOf } from '@drawbridge/testbed/tokens';
import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage } from '../../test/page-harness.ts';

const products = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<section style="height:260px"><h2>Shelf ${n}</h2><a href="/${n}">Product ${n}</a> <button>Add product ${n}</button></section>`,
  ).join('');
const shop = `<body>${products(120)}<section><h2>Newsletter</h2><input aria-label="Email for the newsletter"><button>Subscribe</button></section>`;

describe('a tree cut by relevance', () => {
  test('[INT-249] [INT-250] keeps nodes near the query in a large tree', async () => {
    await using page = await pageWith(shop);
    const snapshot = await page.snapshot({ scope: 'page', query: 'subscribe to the newsletter' });
    const names = snapshot.page.interactive_tree.map((node) => node.n);
    expect(names).toEqual(['Email for the newsletter', 'Subscribe']);
    expect(snapshot).toMatchObject({ dom_filtered: true, original_node_count: 242 });
    expect(snapshot.filter_reason).toContain('242 nodes');
    expect(snapshot.left_out).toMatchObject({ nodes: 240, how: expect.stringContaining('another query') });
  });

  test('[INT-250] has at most 50 nodes and 2,000 tokens by default', async () => {
    await using page = await pageWith(shop);
    const snapshot = await page.snapshot({ scope: 'page', query: 'add a product' });
    expect(snapshot.page.interactive_tree.length).toBeLessThanOrEqual(50);
    const wider = await page.snapshot({ scope: 'page', query: 'add a product', max_tokens: 1_000_000 });
    expect(wider.page.interactive_tree.length).toBe(242);
  });

  test('[INT-250] finds the 77th shelf by a query about it', async () => {
    await using page = await pageWith(shop);
    const { page: found } = await page.snapshot({ scope: 'page', query: 'add product 77', max_nodes: 4 });
    expect(found.interactive_tree.map((node) => node.n)).toContain('Add product 77');
  });

  test('[INT-251] reports the four fields truthfully, and omits them for a whole tree', async () => {
    await using page = await pageWith(shop);
    const whole = await page.snapshot({ scope: 'page' });
    const part = await page.snapshot({ scope: 'page', max_nodes: 20 });
    const reduction =
      1 -
      JSON.stringify(part.page.interactive_tree).length / JSON.stringify(whole.page.interactive_tree).length;
    expect(part.original_node_count).toBe(whole.page.interactive_tree.length);
    expect(Math.abs((part.token_reduction ?? 0) - reduction * 100)).toBeLessThan(3);
    for (const field of [
      'dom_filtered',
      'filter_reason',
      'original_node_count',
      'token_reduction',
      'left_out',
    ]) {
      expect(whole).not.toHaveProperty(field);
    }
  });

  test.each([
    ['lines' as const, 100],
    ['lines' as const, 1000],
    ['json' as const, 300],
    ['json' as const, 3000],
  ])('max_bytes is kept in the form %s at %i', async (form, max_bytes) => {
    await using page = await pageWith(shop);
    const snapshot = await page.snapshot({ scope: 'page', form, max_bytes });
    const text = form === 'lines' ? (snapshot.text ?? '') : JSON.stringify(snapshot.page.interactive_tree);
    expect(text.length).toBeLessThanOrEqual(max_bytes);
    expect(text.length).toBeGreaterThan(max_bytes / 2);
  });

  test.each([
    [50, false],
    [200, true],
    [1500, false],
    [1500, true],
  ])('max_tokens %i is kept, with context: %s', async (max_tokens, context) => {
    await using page = await pageWith(shop);
    const { text = '' } = await page.snapshot({ scope: 'page', form: 'lines', max_tokens, context });
    expect(tokensOf(text)).toBeLessThanOrEqual(max_tokens);
    expect(text).not.toBe('');
  });
});

describe('deltas', () => {
  const shared = sharedPage();
  const html = '<button id="a">Buy</button><input aria-label="Name"><p id="more"></p>';

  test('[INT-237] answers briefly for an unchanged page', async () => {
    await using page = await pageWith(html);
    const { snapshot_id, hash } = await page.snapshot();
    const delta = await page.delta(snapshot_id);
    expect(delta).toEqual({
      snapshot_id: snapshot_id.replace(/1$/, '2'),
      since: snapshot_id,
      hash,
      unchanged: true,
    });
  });

  test('[INT-241] [INT-240] lists added, removed and changed nodes', async () => {
    await using page = await pageWith(html);
    const { snapshot_id } = await page.snapshot();
    await page.run(() => {
      document.querySelector('#a')?.setAttribute('aria-expanded', 'true');
      document
        .querySelector('#more')
        ?.append(Object.assign(document.createElement('button'), { textContent: 'New' }));
    });
    expect(await page.delta(snapshot_id)).toMatchObject({
      unchanged: false,
      significant: false,
      diff: {
        added: [{ node: { n: 'New' }, after: '2' }],
        removed: [],
        changed: [{ i: '1', set: { s: 'expanded' } }],
      },
    });
  });

  test('[INT-240] treats three or more differing nodes as significant', async () => {
    await using page = await pageWith('<button>a</button><button>b</button><button>c</button>');
    const { snapshot_id } = await page.snapshot();
    await page.run(() => {
      for (const button of document.querySelectorAll('button')) button.append('!');
    });
    expect(await page.delta(snapshot_id)).toMatchObject({ unchanged: false, significant: true });
  });

  test('[INT-239] has the same hash in another run of the same page', async () => {
    await using one = await pageWith(html);
    await using other = await pageWith(html);
    expect((await one.snapshot()).hash).toBe((await other.snapshot()).hash);
  });

  test('[INT-241] sends a whole snapshot after one of an earlier document', async () => {
    const { snapshot_id } = await (await shared.show(html)).snapshot();
    const page = await shared.show(html);
    await page.snapshot();
    expect(await page.delta(snapshot_id)).toMatchObject({
      since: snapshot_id,
      full: { page: { mode: 'semantic' } },
    });
  });

  test('sends a whole snapshot after one that was evicted', async () => {
    await using page = await pageWith(html);
    expect(await page.delta('s0')).toMatchObject({ since: 's0', full: { page: { mode: 'semantic' } } });
  });
});
