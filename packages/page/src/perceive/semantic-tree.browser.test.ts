import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage } from '../../test/page-harness.ts';

const shared = sharedPage();
const linesOf = async (html: string) => (await shared.show(html)).lines();
const withoutIds = (lines: string) => lines.replace(/^\S+ /gm, '');

describe('[INT-215] lists actionable elements and nothing else', () => {
  test.each([
    ['<a href="/x">Gmail</a>', '1 link Gmail'],
    ['<a>No address</a>', ''],
    ['<button>Buy</button>', '1 btn Buy'],
    ['<div><p>Only text</p><ul><li>and a list</li></ul></div>', ''],
    ['<h1>A heading</h1>', ''],
    ['<input placeholder="Name">', '1 inp Name'],
    ['<input type="hidden" name="x">', ''],
    ['<textarea aria-label="Note"></textarea>', '1 inp Note'],
    ['<div contenteditable aria-label="Card"></div>', '1 btn Card'.replace('btn', 'inp')],
    ['<details><summary>More</summary><a href="/x">inside</a></details>', '1 btn More'],
    [
      '<details open><summary>More</summary><a href="/x">inside</a></details>',
      '1 btn More [expanded]\n2 link inside',
    ],
    ['<div role="button" tabindex="0">Press</div>', '1 btn Press'],
    ['<div tabindex="0">Focus me</div>', '1 btn Focus me'],
    ['<div tabindex="-1">Not me</div>', ''],
    ['<video controls aria-label="Film" width="200" height="100"></video>', '1 video Film'],
    ['<label>Agree <input type="checkbox"></label>', '1 chk Agree'],
    ['<label style="cursor: pointer"><input type="radio"> Red</label>', '1 radio Red'],
    ['<button disabled>Buy</button>', '1 btn Buy [disabled]'],
    ['<fieldset disabled><button>Buy</button></fieldset>', '1 btn Buy [disabled]'],
    ['<button hidden>Buy</button>', ''],
    ['<button style="visibility: hidden">Buy</button>', ''],
    ['<button style="opacity: 0">Buy</button>', ''],
    ['<div style="opacity: 0"><button>Buy</button></div>', ''],
    ['<button style="position: absolute; left: -9999px">Buy</button>', ''],
    ['<div inert><button>Buy</button></div>', ''],
    [
      '<svg width="20" height="20"><a href="/x"><title>Home</title><rect width="20" height="20"/></a></svg>',
      '1 link Home',
    ],
  ])('%s', async (html, expected) => {
    expect(await linesOf(html)).toBe(expected);
  });
});

describe('[INT-218] [INT-219] minifies roles, and keeps a role without a short form', () => {
  test.each([
    ['<input type="checkbox" aria-label="a">', 'chk'],
    ['<input type="radio" aria-label="a">', 'radio'],
    ['<input type="range" aria-label="a">', 'slider'],
    ['<input type="search" aria-label="a">', 'inp'],
    ['<input type="number" aria-label="a">', 'inp'],
    ['<input type="submit">', 'btn'],
    ['<input type="password" aria-label="a">', 'inp'],
    ['<input type="date" aria-label="a">', 'inp'],
    ['<input type="file" aria-label="a">', 'btn'],
    ['<select aria-label="a"><option>x</option></select>', 'sel'],
    ['<select multiple aria-label="a"><option>x</option></select>', 'sel'],
    ['<div role="tab">a</div>', 'tab'],
    ['<div role="menuitem">a</div>', 'item'],
    ['<div role="option">a</div>', 'opt'],
    ['<div role="switch">a</div>', 'switch'],
    ['<div role="slider" aria-label="a">a</div>', 'slider'],
    ['<div role="treeitem">a</div>', 'treeitem'],
    ['<div role="menuitemcheckbox">a</div>', 'menuitemcheckbox'],
    ['<ul><li onclick="1">a</li></ul>', 'item'],
    ['<h2 onclick="1">a</h2>', 'h'],
    ['<div role="tree" tabindex="0" aria-label="a">a</div>', 'tree'],
    ['<div role="menu" tabindex="0" aria-label="a">a</div>', 'menu'],
  ])('%s is %s', async (html, role) => {
    expect((await linesOf(html)).split(' ')[1]).toBe(role);
  });
});

describe('[INT-220] [INT-221] [INT-222] [INT-223] names elements as a person would', () => {
  test.each([
    ['<button aria-label="Close">x</button>', 'btn Close'],
    ['<button aria-label="Close" title="Shut">x</button>', 'btn Close'],
    ['<button title="Close"></button>', 'btn Close'],
    [`<button>${'word '.repeat(20)}</button>`, `btn ${'word '.repeat(10).trim()}`],
    ['<label for="n">Name</label><input id="n">', 'inp Name'],
    ['<label>Name <input placeholder="Ada"></label>', 'inp Name'],
    ['<b id="a">First</b> <i id="b">name</i><input aria-labelledby="a b gone">', 'inp First name'],
    ['<input placeholder="Street">', 'inp Street'],
    ['<div>Phone <input placeholder="+49"></div>', 'inp Phone'],
    ['<div>Phone:</div><div><input></div>', 'inp Phone'],
    ['<table><tr><td>Town</td><td><input></td></tr></table>', 'inp Town'],
    ['<table><tr><th>Qty</th></tr><tr><td><input></td></tr></table>', 'inp Qty'],
    ['<div><label for="none">Floor</label> <input></div>', 'inp Floor'],
    ['<div><input type="checkbox"> Leave with a neighbour</div>', 'chk Leave with a neighbour'],
    ['<input name="first_name">', 'inp first name'],
    ['<div>A<input aria-label="one">B<input></div>', 'inp B'],
    [
      '<a href="/account/orders?x=1"></a><style>a{display:inline-block;width:9px;height:9px}</style>',
      'link orders',
    ],
    ['<button><svg width="9" height="9"><use href="#icon-trash"></use></svg></button>', 'btn trash'],
    ['<button><i class="i"></i> Save</button><style>.i::before{content:"\\f101"}</style>', 'btn Save'],
    ['<a href="/x"><img alt="Logo" width="9" height="9"></a>', 'link Logo'],
    ['<button>Pay\u200B now</button>', 'btn Pay now'],
  ])('%s', async (html, expected) => {
    expect((await linesOf(html)).split('\n').at(-1)?.replace(/^\d+ /, '')).toBe(expected);
  });
});

describe('[INT-224] [INT-225] lists values and states in a fixed order', () => {
  test.each([
    ['<input aria-label="a" value="SpaceX">', 'inp a =SpaceX'],
    ['<input aria-label="a">', 'inp a'],
    ['<textarea aria-label="a">two\nlines</textarea>', 'inp a ="two lines"'],
    ['<select aria-label="a"><option>x<option selected>y</select>', 'sel a =y'],
    ['<input type="range" aria-label="a" value="30">', 'slider a =30'],
    ['<div role="slider" aria-label="a" aria-valuenow="3" aria-valuetext="low">.</div>', 'slider a =low'],
    ['<div contenteditable aria-label="a">Hello you</div>', 'inp a ="Hello you"'],
    ['<input type="checkbox" aria-label="a" checked disabled>', 'chk a [disabled,checked]'],
    ['<div role="checkbox" aria-checked="mixed">a</div>', 'chk a [mixed]'],
    ['<button aria-pressed="true" aria-expanded="true">a</button>', 'btn a [pressed,expanded]'],
    ['<div role="tab" aria-selected="true">a</div>', 'tab a [selected]'],
    ['<button aria-disabled="true">a</button>', 'btn a [disabled]'],
    ['<input aria-label="a" aria-invalid="true" value="1">', 'inp a =1 [invalid]'],
    ['<input aria-label="a" readonly value="1">', 'inp a =1 [readonly]'],
  ])('%s', async (html, expected) => {
    expect((await linesOf(html)).slice(2)).toBe(expected);
  });
});

describe('lists each element once', () => {
  test.each([
    ['a wrapper around its only control', '<div onclick="1"><a href="/x">Open</a></div>', 'link Open'],
    [
      'a hand on a label',
      '<label style="cursor:pointer" for="c">Agree</label><input id="c" type="checkbox">',
      'chk Agree',
    ],
    ['a part of a button', '<button><span style="cursor:pointer">Buy</span></button>', 'btn Buy'],
    [
      'a combobox around its field',
      '<div role="combobox" aria-label="City"><input aria-label="City"></div>',
      'inp City',
    ],
    ['the inherited hand', '<div style="cursor:pointer"><span>Open</span><b>it</b></div>', 'btn Openit'],
    [
      'a page that listens to itself',
      `<div onclick="1" style="height:600px"><a href="/1">a</a><a href="/2">b</a></div>`,
      'link a\nlink b',
    ],
  ])('%s', async (_, html, expected) => {
    expect(withoutIds(await linesOf(html))).toBe(expected);
  });

  test('lists a card separately when it says more than its link', async () => {
    const lines = await linesOf('<div onclick="1">Lamp, 39 € <a href="/x">Details</a></div>');
    expect(withoutIds(lines)).toBe('btn Lamp, 39 € Details\nlink Details');
  });
});

test.each([
  ['More ⋁', 'More'],
  ['› Home', 'Home'],
  ['| Login |', 'Login'],
  ['Try it »', 'Try it'],
  ['Buy « Dune »', 'Buy « Dune »'],
  ['»', '»'],
  ['→', '→'],
  ['Duran Duran', 'Duran Duran'],
])('[INT-220] %s is called %s: what only points or parts is not said', async (text, name) => {
  await using page = await pageWith(`<button>${text}</button>`);
  expect((await page.nodes()).map(({ n }) => n)).toEqual([name]);
});

test('[INT-216] lists only the viewport', async () => {
  await using page = await pageWith(
    '<button>Top</button><div style="height:3000px"></div><button>Bottom</button>',
  );
  expect(await page.lines()).toBe('1 btn Top');
  await page.run(() => window.scrollTo(0, 9999));
  expect(await page.lines()).toBe('2 btn Bottom');
});

test('[INT-217] lists the whole page or one region on request', async () => {
  await using page = await pageWith(
    '<button>Top</button><div style="height:3000px"></div><div tabindex="0" aria-label="Box"><button>Bottom</button></div>',
  );
  expect(await page.lines({ scope: 'page' })).toBe('1 btn Top\n2 btn Box\n3 btn Bottom');
  expect(await page.lines({ region: '2' })).toBe('2 btn Box\n3 btn Bottom');
  await expect(page.lines({ region: '99' })).rejects.toThrow('Take a new snapshot');
});

test('[INT-226] gives the middle in the viewport as xy, and a box on request', async () => {
  await using page = await pageWith(
    '<button style="position:fixed;left:10px;top:20px;width:100px;height:40px">a</button>',
  );
  expect(await page.nodes()).toEqual([{ i: '1', r: 'btn', n: 'a', xy: [60, 40] }]);
  expect(await page.nodes({ boxes: true })).toEqual([
    { i: '1', r: 'btn', n: 'a', xy: [60, 40], box: [10, 20, 100, 40] },
  ]);
});

describe('[INT-227] reports covers found by a hit test', () => {
  const modal = '<div style="position:fixed;inset:0;background:#0008"><button>Close</button></div>';
  test.each([
    ['a modal', `<button>Buy</button>${modal}`, '1 btn Buy !\n2 btn Close'],
    ['nothing', '<button>Buy</button>', '1 btn Buy'],
    ['its own badge', '<button>Buy <b style="position:absolute;inset:0">3</b></button>', '1 btn Buy 3'],
    [
      'a cover that lets presses through',
      `<button>Buy</button><div style="position:fixed;inset:0;pointer-events:none"></div>`,
      '1 btn Buy',
    ],
    [
      'a pointer-events: none of its own',
      '<button disabled style="pointer-events:none">Buy</button>',
      '1 btn Buy [disabled]',
    ],
    [
      'a label over a transparent checkbox',
      '<label><input type="checkbox" style="opacity:0"> Agree</label>',
      '1 chk Agree',
    ],
    [
      'a corner only',
      '<div style="position:relative;width:99px"><button style="width:99px">Buy</button><i style="position:absolute;left:0;top:0;width:9px;height:9px"></i></div>',
      '1 btn Buy',
    ],
  ])('%s', async (_, html, expected) => {
    expect(await linesOf(html)).toBe(expected);
  });

  test('presses an invisible checkbox through its label', async () => {
    await using page = await pageWith(
      '<label style="position:absolute;left:100px;top:50px;width:60px;height:20px"><input type="checkbox" style="position:absolute;width:1px;height:1px;clip-path:inset(50%)"> Agree</label>',
    );
    expect(await page.nodes()).toEqual([{ i: '1', r: 'chk', n: 'Agree', xy: [130, 60] }]);
  });

  test('does not list elements scrolled out of a list, nor as "covered"', async () => {
    await using page = await pageWith(
      '<div style="height:60px;overflow:auto" tabindex="0" aria-label="List"><button style="display:block;height:50px">a</button><button style="display:block;height:50px;margin-top:60px">b</button></div><p style="height:200px">below</p>',
    );
    expect(await page.lines()).toBe('1 region List ~0%+\n2 btn a');
  });
});

test('[INT-228] lists the same nodes in the same order for the same page', async () => {
  const html = '<button>a</button><div><a href="/b">b</a></div><input aria-label="c">';
  await using one = await pageWith(html);
  await using other = await pageWith(html);
  const first = await one.snapshot();
  expect(await other.snapshot()).toEqual({ ...first, snapshot_id: expect.any(String) });
  expect((await one.snapshot()).page).toEqual(first.page);
});

describe('[INT-229] [INT-231] scrollable elements', () => {
  test('reports how far a list is scrolled and whether more follows', async () => {
    await using page = await pageWith(
      '<div id="l" style="height:100px;overflow:auto" aria-label="Rows" role="region"><div style="height:1100px">x</div></div>',
    );
    expect((await page.snapshot()).page).toMatchObject({
      interactive_tree: [{ i: '1', r: 'region', n: 'Rows', scr: { depth: '0%', h: true } }],
      scrollableContainers: [{ id: '1', depth: '0%', hasMore: true }],
    });
    await page.run(() => document.querySelector('#l')?.scrollTo(0, 500));
    expect((await page.nodes())[0]?.scr).toEqual({ depth: '50%', h: true });
    await page.run(() => document.querySelector('#l')?.scrollTo(0, 9999));
    expect((await page.snapshot()).page.scrollableContainers).toEqual([
      { id: '1', depth: '100%', hasMore: false },
    ]);
  });

  test('does not report a list that does not scroll', async () => {
    expect(await linesOf('<div style="height:100px;overflow:auto">short</div>')).toBe('');
  });

  test('reports 0% at the top of the page and 100% at its end', async () => {
    await using page = await pageWith('<div style="height:3000px">x</div>');
    expect((await page.snapshot()).page.scrollPosition).toBe('0%');
    await page.run(() => window.scrollTo(0, 9999));
    expect((await page.snapshot()).page.scrollPosition).toBe('100%');
  });
});

describe('frames and shadow roots', () => {
  test('[INT-213] gives elements of a frame its number and prefix, and page coordinates', async () => {
    await using page = await pageWith(
      '<body style="margin:0"><button>a</button><iframe style="position:absolute;left:100px;top:50px;border:0" srcdoc="<body style=margin:0><button style=position:absolute;left:10px;top:20px;width:20px;height:20px>b</button>"></iframe><button>c</button>',
    );
    await page.page.frameLocator('iframe').getByText('b').waitFor();
    expect(await page.lines()).toBe('1 btn a\nf1_2 btn b\n3 btn c');
    expect((await page.nodes())[1]).toEqual({ i: 'f1_2', r: 'btn', n: 'b', xy: [120, 80], f: 1 });
  });

  test('[INT-227] reports elements of a frame as covered by the page', async () => {
    await using page = await pageWith(
      '<iframe srcdoc="<button>b</button>"></iframe><div style="position:fixed;inset:0"></div>',
    );
    await page.page.frameLocator('iframe').getByText('b').waitFor();
    expect(await page.lines()).toBe('f1_1 btn b !');
  });

  test('[INT-214] lists elements of open shadow roots in visual order', async () => {
    await using page = await pageWith(
      '<button>a</button><div><template shadowrootmode="open"><button>b</button><slot></slot><button>d</button></template><button>c</button></div>',
    );
    expect(await page.lines()).toBe('1 btn a\n2 btn b\n3 btn c\n4 btn d');
  });

  test('lists closed shadow roots from a host', async () => {
    await using page = await pageWith(
      '<div id="host"></div><script>window.roots = new Map(); const root = host.attachShadow({ mode: "closed" }); root.append(Object.assign(document.createElement("button"), { textContent: "b" })); roots.set(host, root);</script>',
      { hooks: () => ({ shadowRootOf: (element) => Reflect.get(window, 'roots').get(element) }) },
    );
    expect(await page.lines()).toBe('1 btn b');
  });
});

test('finds an element positioned into the view from a distant part', async () => {
  const far =
    '<section style="height:2000px"><div><div><i>x</i><div style="position:fixed;left:200px;top:200px;width:400px;height:200px;background:#fff"><button>Accept cookies</button></div></div></div></section>';
  await using page = await pageWith(`<div style="height:3000px">a</div>${far}`);
  expect((await page.lines()).slice(2)).toBe('btn Accept cookies');
});

test('scans long lists in pieces without missing a visible row', async () => {
  await using page = await pageWith(
    Array.from(
      { length: 1000 },
      (_, row) => `<div style="height:20px"><a href="/${row}">row ${row}</a></div>`,
    ).join(''),
  );
  await page.run(() => window.scrollTo(0, 10_000));
  const names = (await page.nodes()).map((node) => node.n);
  expect(names[0]).toBe('row 499');
  expect(names.length).toBe(37);
});
