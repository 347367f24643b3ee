import { describe, expect, test } from 'vitest';
import { pageWith, sharedPage } from '../../test/page-harness.ts';

const shared = sharedPage();

describe('renders the text of a page as Markdown', () => {
  test.each([
    ['<h2>Lamps</h2><p>Two of <em>them</em>.</p>', '## Lamps\n\nTwo of them.'],
    ['<ul><li>one<li>two</ul>', '- one\n\n- two'],
    ['<p>See <a href="/x">the list</a>.</p>', 'See [the list](1).'],
    ['<p>Buy <button>now</button></p>', 'Buy [now](1)'],
    ['<label>Name <input value="Ada"></label>', 'Name ?[Name = "Ada"](1)'],
    [
      '<div style="white-space:pre-wrap">One.\n\nTwo,\n  three</div><p>End <span onclick=1>Forward</span></p>',
      'One.\n\nTwo,\n  three\n\nEnd [Forward](1)',
    ],
    ['<p><button><i class="fa fa-trash"></i></button> 9</p>', '[~trash](1) 9'],
    ['<table><tr><th>Lamp<th>Price<tr><td>Dusk<td>39 €</table>', '| Lamp | Price |\n\n| Dusk | 39 € |'],
    ['<textarea aria-label=Copy>a  b</textarea>', '?[Copy = "a  b"](1)'],
    ['<pre>a\n  b</pre>', '```\na\n  b\n```'],
    ['<blockquote>so</blockquote>', '> so'],
    ['<img alt="A lamp" src="x"><img alt="" src="x">', '![A lamp]'],
    ['<p>shown</p><p hidden>a</p><p style="opacity:0">b</p><p style="font-size:1px">c</p>', 'shown'],
    ['<p>shown</p><p style="position:absolute;left:-9999px">a</p>', 'shown'],
    ['<nav>menu</nav><p>text</p><footer>foot</footer>', 'text'],
    ['<div><template shadowrootmode="open"><p>deep <slot></slot></p></template>light</div>', 'deep light'],
  ])('%s', async (html, expected) => {
    expect((await (await shared.show(html)).read()).text).toBe(expected);
  });

  test('reads the longest main part, without its surroundings', async () => {
    await using page = await pageWith(
      `<header>top</header><main><h1>Title</h1><p>${'word '.repeat(60)}</p></main><aside>beside</aside>`,
    );
    expect((await page.read()).text).toBe(`# Title\n\n${'word '.repeat(60).trim()}`);
  });

  test('reads a region by its id', async () => {
    await using page = await pageWith('<p>other</p><div tabindex="0"><p>this</p></div>');
    await page.snapshot();
    expect((await page.read({ region: '1' })).text).toBe('this');
  });

  test('keeps to a budget and says where to continue', async () => {
    await using page = await pageWith(
      Array.from({ length: 50 }, (_, n) => `<p>Paragraph ${n} says this.</p>`).join(''),
    );
    const first = await page.read({ max_tokens: 40 });
    expect(first).toMatchObject({ blocks: 50, next: expect.any(Number) });
    expect(first.text.startsWith('Paragraph 0 says this.')).toBe(true);
    const second = await page.read({ max_tokens: 40, from: first.next ?? 0 });
    expect(second.text.startsWith(`Paragraph ${first.next} says`)).toBe(true);
    const whole = await page.read({ max_tokens: 4000 });
    expect(whole).not.toHaveProperty('next');
  });

  test('cuts one block larger than the budget', async () => {
    await using page = await pageWith(`<p>${'word '.repeat(2000)}</p>`);
    const { text } = await page.read({ max_bytes: 300 });
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.length).toBeGreaterThan(200);
  });
});
