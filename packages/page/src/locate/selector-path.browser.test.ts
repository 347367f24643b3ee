import { describe, expect, test } from 'vitest';
import { wholePages } from '../../test/whole-page.ts';

const { show } = wholePages();

/** The path of the element marked `data-me`, and the number of its matches. */
async function pathOf(html: string): Promise<[string, number]> {
  const { call } = await show(html);
  const { id } = await call('elementInfo', { selectors: ['[data-me]', 'iframe >>> [data-me]'] });
  const path = await call('selectorPath', id);
  return [path, (await call('find', { selector: path })).count];
}

describe("uses the author's names for one element", () => {
  test.each([
    ['<button data-me id=go data-testid=go-btn class=x1f9>Go</button><button>', '[data-testid="go-btn"]'],
    ['<textarea data-me name=q></textarea><textarea></textarea>', '[name="q"]'],
    ['<button data-me aria-label=Close>×</button><button aria-label=Open>', '[aria-label="Close"]'],
    ['<div role=tab>A</div><nav data-me role=tablist></nav>', '[role="tablist"]'],
    ['<a href=/cart data-me>Cart</a><a href=/help>Help</a>', '[href="/cart"]'],
    ['<button data-me aria-label="Add to cart">+</button><button>', '[aria-label="Add to cart"]'],
    [
      '<form id=trip><input type=radio name=way value=air data-me><input type=radio name=way value=sea></form>',
      '#trip [value="air"]',
    ],
    ['<form id=trip><input value=Oslo data-me></form><form><input></form>', '#trip input'],
    ['<nav id=top><b class="price is-open" data-me>1</b><b class=is-open>2</b></nav>', '#top .price'],
    ['<div id=word><o:p data-me>A</o:p></div><o:p>B</o:p>', '#word :nth-child(1)'],
    ['<button data-me aria-label=\'3 "big" lamps\'>+</button><button>', '[aria-label="3 \\"big\\" lamps"]'],
    ['<p id=total data-me></p><p></p>', '#total'],
  ])('%s → %s', async (html, path) => expect(await pathOf(html)).toEqual([path, 1]));

  test('starts from the nearest named ancestor of an unnamed element', async () => {
    const html =
      '<ul id=lines><li>A<li><button>Less</button><button data-me>More</button></ul><button>More</button>';
    const [path, count] = await pathOf(html);
    expect([path.startsWith('#lines '), count]).toEqual([true, 1]);
  });

  test('avoids generated names', async () => {
    const made =
      '<div id=":r1:" class="css-1q2w3e sc-bdVaJa"><button id=ember412 class="jss42" data-me>A</button><button>B</button></div>';
    const [path] = await pathOf(made);
    expect(path).not.toMatch(/r1|css-|sc-|ember|jss|data-llm-id/);
  });

  test('finds the element again after a full re-render', async () => {
    const { call, run } = await show('<main></main>');
    await run(() => {
      const render = (serial: number) => {
        document.querySelector('main')?.setHTMLUnsafe(`<form class="css-${serial}abc"><div id=":r${serial}:">
          <label>Mail <input name=mail></label><button class="btn x${serial}">Send</button><button>Drop</button></div></form>`);
      };
      Reflect.set(globalThis, 'render', render);
      render(1);
    });
    const { id } = await call('elementInfo', { selector: 'button', text_equals: 'Send' });
    const path = await call('selectorPath', id);
    await run(() => Reflect.get(globalThis, 'render')(77));
    expect(await call('find', { selector: path })).toMatchObject({ count: 1, text: 'Send' });
  });

  test('enters shadow roots and frames by >>>', async () => {
    const shadow = `<x-card></x-card><script>document.querySelector('x-card').attachShadow({ mode: 'open' })
      .innerHTML = '<button data-me name=buy>B</button><button>C</button>'</script>`;
    expect(await pathOf(shadow)).toEqual(['x-card >>> [name="buy"]', 1]);
    const frame = '<iframe name=pay srcdoc="<input data-me name=city><input>"></iframe>';
    expect(await pathOf(frame)).toEqual(['[name="pay"] >>> [name="city"]', 1]);
  });

  test('is short and unique in a page of 3,000 nameless elements', async () => {
    const rows = Array.from(
      { length: 1000 },
      (_, row) => `<div><span>${row}</span><button>Open</button></div>`,
    );
    rows[500] = '<div><span>500</span><button data-me>Open</button></div>';
    const [path, count] = await pathOf(`<main>${rows.join('')}</main>`);
    expect(count).toBe(1);
    expect(path.length).toBeLessThan(80);
  });

  test('is undefined for a removed element', async () => {
    const { call, run } = await show('<button>Go</button>');
    const { id } = await call('elementInfo', { selector: 'button' });
    await run(() => document.querySelector('button')?.remove());
    await expect(call('selectorPath', id)).rejects.toThrow('target_not_found');
  });
});
