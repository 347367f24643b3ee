import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage } from '../../test/page-harness.ts';

const shared = sharedPage();
const skeletonOf = async (html: string) => (await shared.show(html)).skeleton();

describe('skeleton', () => {
  test.each([
    ['[INT-260]', '<a href="/x">Home</a>', '<a id="1" href="/x">Home</a>'],
    ['[INT-260]', '<button>Buy</button>', '<button id="1">Buy</button>'],
    [
      '[INT-260]',
      '<input name="q" value="a">',
      '<input id="1" name="q" value="a" aria-label="">'.replace(' aria-label=""', ''),
    ],
    [
      '[INT-260]',
      '<select name="s"><option>a<option>b</select>',
      '<select id="1" name="s" value="a"><option>a</option><option>b</option></select>',
    ],
    ['[INT-260]', '<textarea name="t">two</textarea>', '<textarea id="1" name="t">two</textarea>'],
    ['[INT-260]', '<a>no address</a>', ''],
    ['[INT-261]', '<div onclick="1">Press</div>', '<div id="1">Press</div>'],
    ['[INT-261]', '<div role="menuitem">Open</div>', '<div id="1" role="menuitem">Open</div>'],
    ['[INT-261]', '<div role="tab">Open</div>', '<div id="1" role="tab">Open</div>'],
    ['[INT-261]', '<div tabindex="0">Focus</div><div tabindex="-1">not</div>', '<div id="1">Focus</div>'],
    ['[INT-261]', '<div contenteditable="true">Text</div>', '<div id="1" value="Text">Text</div>'],
    ['[INT-262]', '<section><div><p>text</p><button>a</button></div></section>', '<button id="1">a</button>'],
    ['[INT-263]', '<style>a{}</style><script>1</script><noscript>x</noscript><svg><path/></svg>', ''],
    [
      '[INT-263]',
      '<button aria-label="Cart"><svg><title>t</title><path/></svg></button>',
      '<button id="1" aria-label="Cart"></button>',
    ],
    ['[INT-264]', '<button hidden>a</button><div style="display:none"><button>b</button></div>', ''],
    ['[INT-264]', '<input type="hidden" name="x" value="y"><button style="visibility:hidden">c</button>', ''],
    [
      '[INT-265]',
      '<input id="mine" class="c" style="color:red" data-x="1" data-testid="q" name="n" type="email" placeholder="p" aria-label="l" role="searchbox">',
      '<input id="1" name="n" type="email" placeholder="p" role="searchbox" aria-label="l" data-testid="q">',
    ],
    ['[INT-266]', '<button> Buy <b>now</b> <i>&lt;3</i></button>', '<button id="1">Buy now &lt;3</button>'],
    ['[INT-266]', '<label>Name <input name="nm"></label>', '<input id="1" name="nm" aria-label="Name">'],
  ])('%s %s', async (_, html, expected) => {
    expect(await skeletonOf(html)).toBe(expected);
  });

  test('[INT-266] uses the same ids in the skeleton as in the tree', async () => {
    await using page = await pageWith('<a href="/a">a</a><button>b</button><input aria-label="c">');
    const ids = (await page.nodes()).map((node) => node.i);
    expect([...(await page.skeleton()).matchAll(/ id="(\w+)"/g)].map((match) => match[1])).toEqual(ids);
  });

  test('includes shadow roots and same-origin frames', async () => {
    await using page = await pageWith(
      '<div><template shadowrootmode="open"><button>in shadow</button></template></div><iframe srcdoc="<button>in frame</button>"></iframe>',
    );
    await page.page.frameLocator('iframe').getByText('in frame').waitFor();
    expect(await page.skeleton()).toBe(
      '<button id="1">in shadow</button>\n<button id="f1_2">in frame</button>',
    );
  });

  test('[INT-05] cuts at whole elements before 100,000 characters', async () => {
    await using page = await pageWith(`<button>${'x'.repeat(60)}</button>`.repeat(2000));
    const skeleton = await page.skeleton();
    expect(skeleton.length).toBeLessThanOrEqual(100_000);
    expect(skeleton.endsWith('</button>')).toBe(true);
  });
});

describe('full DOM', () => {
  test('renders the current page', async () => {
    await using page = await pageWith(
      '<input id="a" value="was"><script>x = 1</script><!-- c --><p>a &lt; b</p>',
    );
    await page.page.fill('#a', 'is');
    const { html, truncated } = await page.fullDom();
    expect(html).toContain('<input id="a" value="is">');
    expect(html).toContain('<p>a &lt; b</p>');
    expect(html).not.toMatch(/was|x = 1|<!--/);
    expect(truncated).toBe(false);
  });

  test.each([
    [40_000, undefined, false],
    [120_000, undefined, false],
    [260_000, undefined, true],
    [40_000, 10_000, true],
  ])('[INT-275] [INT-255] of %i characters with the limit %s', async (size, limit, truncated) => {
    await using page = await pageWith(`<p>${'x'.repeat(size)}</p>`);
    const dom = await page.fullDom(limit);
    expect(dom.truncated).toBe(truncated);
    expect(dom.html.length).toBeLessThanOrEqual(limit ?? 200_000);
    expect(dom.html.length).toBeGreaterThan(Math.min(size, limit ?? 200_000) - 1);
  });
});

describe('V2', () => {
  test('[INT-255] [INT-256] [INT-257] has full keys and the facts that only they carry', async () => {
    await using page = await pageWith(
      '<body style="margin:0"><a href="/x" style="position:absolute;left:5px;top:6px;width:70px;height:20px">Home</a>' +
        '<div style="position:absolute;top:60px"><template shadowrootmode="open"><input type="search" placeholder="Find" value="lamp"></template></div>' +
        '<iframe style="position:absolute;top:100px" srcdoc="<button disabled>b</button>"></iframe>',
    );
    await page.page.frameLocator('iframe').getByText('b').waitFor();
    const { semanticNodes } = await page.snapshot({ form: 'full_keys' });
    expect(semanticNodes).toMatchObject([
      { id: '1', role: 'link', name: 'Home', href: '/x', bounds: { x: 5, y: 6, width: 70, height: 20 } },
      {
        id: '2',
        role: 'searchbox',
        name: 'Find',
        value: 'lamp',
        type: 'search',
        placeholder: 'Find',
        isInShadow: true,
      },
      { id: 'f1_3', role: 'button', name: 'b', state: 'disabled', frameId: 1 },
    ]);
    expect(semanticNodes?.[0]).not.toHaveProperty('isInShadow');
    expect(semanticNodes?.[0]).not.toHaveProperty('frameId');
  });

  test.each([
    ['<button aria-label="Close" title="t">x</button>', 'Close'],
    ['<button placeholder="p">x</button>', 'x'],
    ['<input placeholder="p">', 'p'],
  ])('[INT-256] %s', async (html, name) => {
    const page = await shared.show(html);
    expect((await page.snapshot({ form: 'full_keys' })).semanticNodes?.[0]?.name).toBe(name);
  });
});

describe('a snapshot', () => {
  test('[INT-38] has the fields of a page for a model', async () => {
    await using page = await pageWith('<title>Shop</title><button>Buy</button>', {
      viewport: { width: 800, height: 600 },
    });
    expect((await page.snapshot()).page).toEqual({
      mode: 'semantic',
      url: 'about:blank',
      title: 'Shop',
      interactive_tree: [expect.objectContaining({ n: 'Buy' })],
      viewport: { width: 800, height: 600 },
      scrollPosition: '0%',
    });
  });

  test('adds headings and texts in view on request', async () => {
    await using page = await pageWith(
      '<h1>Lamps</h1><p>Ships <b>today</b>.</p><button>Buy</button><p style="opacity:0">secret orders</p><p style="font-size:1px">tiny orders</p><h2><a href="/x">Dusk</a></h2><p style="margin-top:3000px">far</p>',
    );
    expect(await page.lines({ context: true })).toBe('# Lamps\n> Ships today.\n1 btn Buy\n2 link Dusk');
    expect((await page.snapshot()).context).toEqual([]);
  });
});
