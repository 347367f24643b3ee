import type { Delta, PreparedPress } from '@drawbridge/page';
import { estimateTokens, parseLines } from '@drawbridge/protocol/semantic';
import { chromiumPath } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { setUpTabs, startSite, type Tab } from '../../../test/hosts/cdp/tab-harness.ts';

const { visit, running } = setUpTabs({ executable: chromiumPath() });

const WHOLE = { scope: 'page' } as const;

/** Waits until every named element is in a snapshot, as frames load by themselves. */
async function whenSeen(tab: Tab, ...names: string[]): Promise<void> {
  for (;;) {
    const { page } = await tab.see(WHOLE);
    if (names.every((name) => page.interactive_tree.some(({ n }) => n === name))) return;
    await tab.host.callPage('untilStable', [{ quietMs: 50, timeoutMs: 500 }]);
  }
}

test('reads and acts in a frame of another site by its ids', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const id = await tab.idOf('Card number');
  expect(id).toMatch(/^f1\d\d_\d+$/);
  const locator = { name: 'Card number' };
  expect(await tab.host.callPage('locator.wait_for', [{ locator, timeout_ms: 5_000 }])).toMatchObject({
    matched: true,
  });
  expect(await tab.host.callPage('locator.element_info', [{ locator }])).toMatchObject({
    id,
    ambiguous: false,
  });
  expect(await tab.fill('Card number', '4242 4242 4242 4242')).toMatchObject({ ok: true });
  await tab.fill('Expiry', '08/30');
  await tab.fill('CVC', '123');
  expect(await tab.click('Pay 25 €')).toMatchObject({ ok: true, fidelity: 'trusted' });
  await tab.waitForText('Paid, card ending 4242.');
});

test('presses in a frame of another site while another tab is in front', async () => {
  await using tab = await visit('/corners/frames');
  const other = await tab.tabs.open('about:blank', true);
  await tab.tabs.navigate({ reload: true });
  await whenSeen(tab, 'Pay 25 €');
  try {
    await tab.fill('Card number', '4242 4242 4242 4242');
    await tab.fill('Expiry', '08/30');
    await tab.fill('CVC', '123');
    expect(await tab.click('Pay 25 €')).toMatchObject({ ok: true, fidelity: 'trusted' });
    await tab.waitForText('Paid, card ending 4242.');
  } finally {
    await tab.tabs.close(other.tab_id);
  }
});

test('applies a grant for the tab’s origin in its frames, and no other grant', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const id = await tab.idOf('Expiry');
  const { origin } = new URL(running().shop.url);
  expect(await tab.host.callPage('fill', [id, '08/30', { origin }])).toMatchObject({ ok: true });
  const elsewhere = { origin: new URL(running().shop.payUrl).origin };
  await expect(tab.host.callPage('fill', [id, '08/31', elsewhere])).rejects.toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'changed_origin' },
  });
});

test('gives a reloaded frame new ids and rejects the old ones', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const before = await tab.idOf('Pay 25 €');
  await tab.tabs.navigate({ reload: true });
  await whenSeen(tab, 'Pay 25 €');
  expect(await tab.idOf('Pay 25 €')).not.toBe(before);
  await expect(tab.host.callPage('preparePress', [before])).rejects.toMatchObject({
    code: 'target_not_found',
  });
});

test('restores frames and their ids from the back-forward cache', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const before = await tab.idOf('Pay 25 €');
  await tab.tabs.navigate({ url: tab.host.surface().url.replace('/corners/frames', '/cart') });
  await tab.tabs.navigate({ back: true });
  await whenSeen(tab, 'Pay 25 €');
  expect([before]).toContain(await tab.idOf('Pay 25 €'));
});

test('places a nested frame where it is shown', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €', 'Subscribe');
  const { frames } = await tab.see(WHOLE);
  const partner = frames.find(({ url }) => url.endsWith('/partner'));
  expect(partner).toBeDefined();
  for (;;) {
    const { page } = await tab.see(WHOLE);
    const inner = page.interactive_tree.find(({ n, f = 0 }) => n === 'Subscribe' && f >= 100);
    if (inner?.xy === undefined) continue;
    const [left = 0, top = 0, width = 0, height = 0] = partner?.box ?? [];
    expect(inner.xy[0]).toBeGreaterThan(left);
    expect(inner.xy[0]).toBeLessThan(left + width);
    expect(inner.xy[1]).toBeGreaterThan(top);
    expect(inner.xy[1]).toBeLessThan(top + height);
    return;
  }
});

test('classifies a press in the frame and places it in the tab', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const id = await tab.idOf('Pay 25 €');
  const { shop } = running();
  const { origin } = new URL(shop.url);
  const { point } = (await tab.host.callPage('preparePress', [id])) as PreparedPress;
  expect(await tab.host.callPage('act.prepare_press', [id, { origin }])).toMatchObject({
    press: { ok: true, id, point },
    elementContext: { label: 'Pay 25 €', origin: new URL(shop.payUrl).origin },
  });
});

test('refuses a press on a covered frame', async () => {
  const { payUrl } = running().shop;
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<iframe src="${payUrl}/card?amount=2500"
      style="width:600px;height:400px"></iframe><button onclick="cover.hidden = false">Cover</button>
      <div id=cover hidden style="position:fixed;inset:0;background:white">Cookies</div>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await whenSeen(tab, 'Pay 25 €');
  const id = await tab.idOf('Pay 25 €');
  expect(await tab.host.callPage('preparePress', [id])).toMatchObject({ ok: true });
  await tab.click('Cover');
  expect(await tab.host.callPage('preparePress', [id])).toMatchObject({
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'covered' } },
  });
});

test('does not wait for a frame that hangs, and takes no screenshot that it cannot mask', async () => {
  await using other = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end('<button>Stuck</button><script>for (;;);</script>');
  });
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<button>Fine</button>
      <iframe src="${other.url.replace('127.0.0.1', 'localhost')}" sandbox="allow-scripts"></iframe>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await whenSeen(tab, 'Fine');
  expect(await tab.text()).toContain('Fine');
  // Until the frame has reached its endless loop.
  let refused: unknown;
  while (refused === undefined) {
    refused = await tab.host.picture?.({ format: 'png' }).then(
      () => undefined,
      (error: unknown) => error,
    );
  }
  expect(refused).toMatchObject({ code: 'runtime_not_ready' });
});

test('computes lines, hash and delta from the joined page', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  const snapshot = await tab.see({ ...WHOLE, form: 'lines' });
  const lines = parseLines(snapshot.text ?? '').nodes;
  expect(lines.map(({ i, n, f }) => ({ i, n, f }))).toEqual(
    snapshot.page.interactive_tree.map(({ i, n, f }) => ({ i, n, f })),
  );
  const expiry = await tab.idOf('Expiry');
  const again = await tab.see(WHOLE);
  await tab.host.callPage('fill', [expiry, '08/31']);
  const delta = (await tab.host.callPage('delta', [again.snapshot_id, WHOLE])) as Delta;
  expect(delta).toMatchObject({ unchanged: false, since: again.snapshot_id });
  expect('diff' in delta && delta.diff.changed.map(({ i }) => i)).toContain(expiry);
  expect(delta.hash).not.toBe(again.hash);
});

test('continues reading into frames of other sites', async () => {
  await using tab = await visit('/corners/frames');
  await whenSeen(tab, 'Pay 25 €');
  expect(await tab.text()).toMatch(/Frames of every kind[\s\S]*Harbour Pay/);
  const first = (await tab.host.callPage('read', [{ max_tokens: 60 }])) as { next?: number; blocks: number };
  const rest = (await tab.host.callPage('read', [{ from: first.next }])) as { text: string; blocks: number };
  expect(rest.text).toContain('Harbour Pay');
  expect(rest.blocks).toBe(first.blocks);
});

/** A page with a frame of another site in it. */
async function framed(inner: string, outer: (url: string) => string) {
  const html = (body: string) => `<!doctype html><meta charset=utf-8>${body}`;
  const other = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(html(inner));
  });
  const site = await startSite((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(html(outer(other.url.replace('127.0.0.1', 'localhost'))));
  });
  const tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  return {
    ...tab,
    async [Symbol.asyncDispose]() {
      for (const each of [tab, site, other]) await each[Symbol.asyncDispose]();
    },
  };
}

const COUNTING =
  '<button onclick="this.textContent = \'Pressed\'" style="margin:90px 0 0 120px">Inner</button>';

test.each([
  ['smaller', 'scale(0.5)'],
  ['larger', 'scale(1.6, 1.25)'],
])('a frame that is shown %s is pressed where it is shown', async (_, transform) => {
  await using tab = await framed(
    COUNTING,
    (url) => `<p>Outer</p><iframe src="${url}" style="width:400px;height:200px;border:7px solid;padding:5px;
      transform:${transform};transform-origin:0 0"></iframe>`,
  );
  await whenSeen(tab, 'Inner');
  expect(await tab.click('Inner')).toMatchObject({ ok: true });
  await whenSeen(tab, 'Pressed');
});

test('gives places in a scaled frame in page coordinates', async () => {
  await using tab = await framed(
    '<button style="position:absolute;left:200px;top:100px;width:100px;height:40px">Inner</button>',
    (
      url,
    ) => `<body style="margin:0"><iframe src="${url}" style="width:400px;height:200px;border:0;display:block;
      transform:scale(0.5);transform-origin:0 0"></iframe>`,
  );
  await whenSeen(tab, 'Inner');
  const { page } = await tab.see({ ...WHOLE, boxes: true });
  expect(page.interactive_tree.find(({ n }) => n === 'Inner')).toMatchObject({
    xy: [125, 60],
    box: [100, 50, 50, 20],
  });
});

test('swallows the press when an element covers the frame after the point was found', async () => {
  await using tab = await framed(
    COUNTING,
    (url) => `<iframe src="${url}" style="width:400px;height:200px"></iframe>
      <button onclick="setTimeout(() => { cover.hidden = false }, 0)">Cover</button><output id=out>untouched</output>
      <div id=cover hidden onclick="out.value = 'taken'" onpointerdown="out.value = 'taken'"
        style="position:fixed;inset:0;background:white">Cookies</div>`,
  );
  await whenSeen(tab, 'Inner');
  const prepared = (await tab.host.callPage('preparePress', [await tab.idOf('Inner')])) as PreparedPress;
  expect(prepared).toMatchObject({ ok: true });
  expect(await tab.host.callPage('recheckPress', [prepared.token])).toMatchObject({ ok: true });
  await tab.host.callPage('click', [await tab.idOf('Cover')]);
  await tab.waitForText('Cookies');
  await tab.host.input?.press({ ...prepared.point, button: 'left', count: 1, modifiers: [] });
  expect(await tab.host.callPage('confirm', [prepared.token])).toMatchObject({
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'covered', cover: 'div' } },
  });
  expect(await tab.text()).toContain('untouched');
  // The guard is removed with the press.
  await tab.host.input?.press({ ...prepared.point, button: 'left', count: 1, modifiers: [] });
  await tab.waitForText('taken');
});

test('[INT-249] [INT-251] keeps frames and page together within the budget', async () => {
  const many = (name: string) =>
    Array.from({ length: 80 }, (_, at) => `<button>${name} ${at}</button>`).join('');
  await using tab = await framed(
    many('Inner'),
    (url) => `${many('Outer')}<iframe src="${url}" style="width:800px;height:900px"></iframe>`,
  );
  await whenSeen(tab, 'Inner 79');
  for (const form of ['json', 'lines'] as const) {
    const snapshot = await tab.see({ ...WHOLE, form, max_tokens: 600 });
    const { interactive_tree: nodes } = snapshot.page;
    const text = form === 'lines' ? (snapshot.text ?? '') : JSON.stringify(nodes);
    expect(estimateTokens(text)).toBeLessThanOrEqual(600);
    expect(nodes.length).toBeGreaterThan(5);
    expect(snapshot).toMatchObject({ dom_filtered: true, original_node_count: 160 });
    expect(snapshot.left_out?.nodes).toBe(160 - nodes.length);
    expect(snapshot.token_reduction).toBeGreaterThan(50);
    expect(snapshot.token_reduction).toBeLessThan(100);
  }
  const small = await tab.see({ ...WHOLE, max_bytes: 3_000 });
  expect(Buffer.byteLength(JSON.stringify(small.page.interactive_tree))).toBeLessThanOrEqual(3_000);
  const about = await tab.see({ ...WHOLE, max_tokens: 300, query: 'Inner 42' });
  expect(about.page.interactive_tree.map(({ n }) => n)).toContain('Inner 42');
  expect((await tab.see({ ...WHOLE, max_nodes: 20 })).page.interactive_tree.length).toBeLessThanOrEqual(20);
  const whole = await tab.see(WHOLE);
  expect(whole.page.interactive_tree.length).toBe(160);
  expect(whole).not.toHaveProperty('dom_filtered');
});
