import { describe, expect, test } from 'vitest';
import { wholePages } from '../../test/whole-page.ts';

const { show } = wholePages();

/** The number of matches, and the selector that matched. */
const found = async (html: string, target: object, url?: string) => {
  const { count, selector, usedFallback } = await (await show(html, url)).call('find', target);
  return [
    count,
    ...(selector === undefined ? [] : [selector]),
    ...(usedFallback === true ? ['fallback'] : []),
  ];
};

describe('selectors', () => {
  test('[MAN-130] tries `selector` first, then `selectors` in order', async () => {
    const target = { selector: '.a', selectors: ['.b', '.c'] };
    expect(await found('<p class=a></p><p class=b></p>', target)).toEqual([1, '.a']);
    expect(await found('<p class=c></p><p class=b></p>', target)).toEqual([1, '.b']);
    expect(await found('<p class=c></p><p class=c></p>', target)).toEqual([2, '.c']);
  });

  test('[MAN-130] does not split at a comma in a value or in :is()', async () => {
    const html = '<i title="a,b"></i><b></b><u></u>';
    expect(await found(html, { selector: '[title="a,b"]' })).toEqual([1, '[title="a,b"]']);
    expect(await found(html, { selector: ':is(b, u)' })).toEqual([2, ':is(b, u)']);
    expect(await found(html, { selector: 'i, u' })).toEqual([2, 'i, u']);
  });

  test('[MAN-131] uses a fallback only when no preferred selector matches, and reports it', async () => {
    const target = { selector: '.old', fallback_selectors: ['button'] };
    expect(await found('<p class=old></p><button>Go</button>', target)).toEqual([1, '.old']);
    expect(await found('<button>Go</button>', target)).toEqual([1, 'button', 'fallback']);
    expect(await found('<p class=old>Go</p><button>Buy</button>', { ...target, text_equals: 'Buy' })).toEqual(
      [0],
    );
  });

  test('[MAN-132] narrows the matches by role, name and texts', async () => {
    const html = '<button>Buy now</button><button aria-label="Buy">+</button><a href="/x">Buy now</a>';
    const all = { selector: 'button, a' };
    expect(await found(html, { ...all, role: 'link' })).toEqual([1, 'button, a']);
    expect(await found(html, { ...all, name: 'Buy' })).toEqual([1, 'button, a']);
    expect(await found(html, { ...all, text_equals: 'Buy now' })).toEqual([2, 'button, a']);
    expect(await found(html, { ...all, text_contains: 'Buy' })).toEqual([3, 'button, a']);
    expect(await found(html, { ...all, role: 'button', text_equals: 'Buy now' })).toEqual([1, 'button, a']);
  });

  test('[MAN-132] finds the innermost element by role, name and text without a selector', async () => {
    const html =
      '<div><section><p>Your cart is empty.</p></section></div><div role=button>Go <b>on</b></div>';
    expect(await found(html, { text_equals: 'Your cart is empty.' })).toEqual([1]);
    expect(await found(html, { role: 'button', name: 'Go on' })).toEqual([1]);
    expect(await found(html, {})).toEqual([0]);
  });

  test('[MAN-132] ignores hidden and typed text', async () => {
    const html = '<p>Sold<span hidden> out</span></p><input aria-label=q value=Sold>';
    expect(await found(html, { selector: 'p, input', text_contains: 'out' })).toEqual([0]);
    expect(await found(html, { selector: 'p, input', text_equals: 'Sold' })).toEqual([1, 'p, input']);
  });

  test('[MAN-242] finds a field by the text in it if a selector matches no other text, and never a secret one', async () => {
    const page = await show(
      '<input id=a value="Lamp 4711"><textarea id=b>Lamp 4711</textarea><p id=e contenteditable>Lamp 4711</p>' +
        '<input id=c type=password value="Opal 88212"><input id=d name=otp value="Opal 90311">',
    );
    const count = async (target: object) => (await page.call('find', target)).count;
    for (const id of ['#a', '#b', '#e']) {
      expect(await count({ selector: id, text_contains: 'Lamp' })).toBe(1);
      expect(await count({ selector: id, text_equals: 'Lamp' })).toBe(0);
    }
    for (const id of ['#c', '#d']) expect(await count({ selector: id, text_contains: 'Opal' })).toBe(0);
    expect(await count({ text_contains: 'Lamp' })).toBe(0);
  });

  test('[MAN-243] gives the text of an editable element, and none of a secret one', async () => {
    const page = await show(
      '<p contenteditable>Two <b>lamps</b></p><div contenteditable aria-label=Password>Opal 88212</div>',
    );
    const textOf = async (selector: string) => (await page.call('elementInfo', { selector })).text;
    expect(await textOf('p')).toBe('Two lamps');
    expect(await textOf('div')).toBe('');
  });

  test('[MAN-133] matches a target with a url only there', async () => {
    const at = (target: object) =>
      found('<p>x</p>', { selector: 'p', ...target }, 'https://page.test/cart?a=1');
    expect(await at({ url_contains: '/cart' })).toEqual([1, 'p']);
    expect(await at({ url_contains: '/search' })).toEqual([0]);
    expect(await at({ url_matches: '^https://[^/]+/c[a-z]+\\?' })).toEqual([1, 'p']);
    expect(await at({ url_matches: '/search$' })).toEqual([0]);
  });

  test.each(['(a+)+$', '(.*)*x', '(?<a>x)\\k<a>', '.*.*.*.*x', '('])(
    '[MAN-133] the pattern %s, which could hold up the page, fits nothing',
    async (url_matches) => expect(await found('<p>x</p>', { selector: 'p', url_matches })).toEqual([0]),
  );

  test('[MAN-134] matches a target with a state only while the state is current', async () => {
    const page = await show('<p>x</p>');
    const count = async (states?: string[]) =>
      (await page.call('find', { selector: 'p', state: 'ready' }, states && { states })).count;
    expect([await count(['ready']), await count(['other']), await count()]).toEqual([1, 0, 1]);
  });

  test('[MAN-135] reports target_not_found when nothing matches', async () => {
    const page = await show('<p>x</p>');
    await expect(page.call('elementInfo', { selector: '#gone' })).rejects.toThrow(
      /target_not_found: Nothing on the page/,
    );
    await expect(page.call('find', { selector: '#gone' })).resolves.toEqual({ count: 0, visible: false });
  });
});

describe('inside', () => {
  const SHADOW = `<x-card></x-card><script>document.querySelector('x-card').attachShadow({ mode: 'open' })
    .innerHTML = '<button>In the shade</button>'</script>`;
  const FRAME = `<iframe name=pay srcdoc="<button>In the frame</button>"></iframe>`;

  test('[MAN-130] [INT-214] looks into open shadow roots', async () => {
    expect(await found(SHADOW, { selector: 'button' })).toEqual([1, 'button']);
    expect(await found(SHADOW, { selector: 'x-card >>> button' })).toEqual([1, 'x-card >>> button']);
    expect(await found(SHADOW, { selector: 'p >>> button' })).toEqual([0]);
    expect(await found('<p title="a >>> b"></p>', { selector: '[title="a >>> b"]' })).toHaveLength(2);
  });

  test('enters same-origin frames by name', async () => {
    expect(await found(FRAME, { selector: 'button' })).toEqual([0]);
    expect(await found(FRAME, { selector: 'button', frame: '[name=pay]' })).toEqual([1, 'button']);
    expect(await found(FRAME, { selector: 'iframe >>> button' })).toEqual([1, 'iframe >>> button']);
  });

  test('finds by name in readable frames, and by the name that a snapshot shows, where nothing fits exactly', async () => {
    expect(await found(FRAME, { name: 'In the frame' })).toEqual([1]);
    const menu = '<button>More &#9656;</button><button>Less</button>';
    expect(await found(menu, { name: 'More' })).toEqual([1]);
    const both = await show(`${menu}<button id=exact>More</button>`);
    expect(await both.call('find', { name: 'More' })).toMatchObject({ count: 1 });
    expect(await found(menu, { name: 'Mor' })).toEqual([0]);
  });

  test('reports a missing frame, or a frame of another site', async () => {
    const page = await show('<iframe class=far src="data:text/html,<p>x</p>"></iframe>');
    const inFrame = (frame: string) => page.call('find', { selector: 'p', frame });
    await expect(inFrame('.none')).rejects.toThrow('target_not_found: No frame fits the selector');
    await expect(inFrame('.far')).rejects.toThrow(
      'capability_unavailable: The frame belongs to another site',
    );
  });

  test('continues a locator from its match', async () => {
    const html = '<ul><li>One <button>Open</button><li>Two <button>Open</button></ul>';
    const page = await show(html);
    const retarget = { closest: 'li', selector: 'button' };
    const info = await page.call('elementInfo', { selector: 'li', text_contains: 'Two', retarget });
    expect(info).toMatchObject({ tag_name: 'button', candidate_count: 1, ambiguous: false });
  });
});

describe('forbidden selectors', () => {
  test.each([
    'input[type=password][value^=a]',
    'input[value*="4"]',
    'form:has(input[value="1234"])',
    'input[value="1234"] ~ p',
    'input:not([value="1234"])',
    '[\\76 alue^=a]',
    '[*|VALUE$="a" i]',
    '[x="]"][value|=a]',
    'input/*"*/[value^=a]/*"*/',
    '[value/**/^="1"]',
    'p:has(a):has(b):has(c)',
    `p${'.a'.repeat(600)}`,
  ])('%s is refused', async (selector) => {
    const page = await show('<form><input type=password value=1234><p>x</p></form>');
    await expect(page.call('find', { selector })).rejects.toThrow('invalid_input: The selector');
  });

  test.each([
    'input[type=radio][value=air]',
    'input[type=radio][value^=a] + p',
    'option[value$="r"]',
    '[value="Go"]',
  ])('%s is not: nobody types it', async (selector) => {
    const html =
      '<input type=radio value=air><p></p><select><option value=air></select><input type=submit value=Go>';
    expect(await found(html, { selector })).toEqual([1, selector]);
  });

  test('finds neither a secret field nor a copy of it by a guessed value', async () => {
    const html = '<input type=password value=hunter2><input value=hunter2 type=button>';
    expect(await found(html, { selector: 'input[value=hunter2]' })).toEqual([0]);
  });

  test('finds nothing by a guess at a secret that the page repeats', async () => {
    const html = '<input type=password value=hunter2-xyz><p>You typed hunter2-xyz</p>';
    expect(await found(html, { selector: 'p', text_contains: 'hunter2' })).toEqual([0]);
  });

  test.each([
    ['p:::x', 'invalid_input: The browser cannot read the selector.'],
    ['#a[', 'invalid_input: The selector is not valid CSS.'],
    ['#a[=b]', 'invalid_input: The selector is not valid CSS.'],
  ])('%s, which is no selector, is refused as such', async (selector, message) => {
    const page = await show('<p>x</p>');
    await expect(page.call('find', { selector })).rejects.toThrow(message);
  });
});

describe('element details', () => {
  test('hit-tests the centre in page coordinates', async () => {
    const frame = `<button style="position:absolute;left:10px;top:20px;width:40px;height:20px">Pay</button>`;
    const page = await show(
      `<iframe style="position:absolute;left:100px;top:50px;border:0" srcdoc='${frame}'></iframe>`,
    );
    const info = await page.call('elementInfo', { selector: 'button', frame: 'iframe' });
    expect(info).toMatchObject({
      clickable: true,
      visibility: 'visible',
      clickable_center: { x: 130, y: 80 },
    });
    expect(info.bounding_box).toMatchObject({
      left: 110,
      top: 70,
      width: 40,
      height: 20,
      right: 150,
      bottom: 90,
    });
  });

  test('returns no centre for a covered element, and names the cover', async () => {
    const page = await show(
      '<button>Pay</button><div role=dialog aria-label=Cookies style="position:fixed;inset:0"></div>',
    );
    const info = await page.call('elementInfo', { selector: 'button' });
    expect(info).toMatchObject({ clickable: false, occluded_by: "div 'Cookies'" });
    expect(info).not.toHaveProperty('clickable_center');
  });

  test('scrolls an off-screen element into view, unless told not to', async () => {
    const page = await show('<button style="position:absolute;top:9000px">Far</button>');
    const far = { selector: 'button' };
    const still = await page.call('elementInfo', far, { auto_scroll: false });
    expect(still).toMatchObject({
      visibility: 'off_screen',
      clickable: false,
      scroll_operations_performed: 0,
    });
    const moved = await page.call('elementInfo', far);
    expect(moved).toMatchObject({ visibility: 'visible', initial_visibility: 'off_screen', clickable: true });
  });

  test('reports a hidden element', async () => {
    const page = await show('<button hidden>No</button>');
    expect(await page.call('elementInfo', { selector: 'button' })).toMatchObject({
      visibility: 'hidden',
      clickable: false,
    });
  });

  test('reports several matches as ambiguous, visible ones first', async () => {
    const page = await show('<button hidden>Add</button><button>Add</button><button>Add</button>');
    const info = await page.call('elementInfo', { selector: 'button' });
    expect(info).toMatchObject({ ambiguous: true, candidate_count: 3, visible: true });
    expect(info.candidates.map(({ visible }) => visible)).toEqual([false, true, true]);
  });

  test('[MAN-246] every candidate has its place, as far as there is room', async () => {
    const days = (label: string) => Array.from({ length: 60 }, (_, day) => `<button>${label}${day}</button>`);
    const page = await show(days('Day ').join(''));
    const { candidate_count, candidates, clickable_center } = await page.call('elementInfo', {
      selector: 'button',
    });
    expect([candidate_count, candidates.length > 25, candidates.length <= 50]).toEqual([60, true, true]);
    expect(candidates[0]?.clickable_center).toEqual(clickable_center);
    expect(candidates[20]?.bounding_box.left).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(candidates).length).toBeLessThan(11_000);
    const long = await show(days('Day '.repeat(60)).join(''));
    expect((await long.call('elementInfo', { selector: 'button' })).candidates.length).toBeLessThan(20);
  });
});

describe("time budget of a map's selector", () => {
  /** The result for each selector, when the document takes 51 ms for `.slow` and 451 for `.stuck`. */
  const found = async (html: string, ...selectors: string[]) => {
    const page = await show(html);
    return page.page.evaluate(async (asked) => {
      let time = 0;
      const clock = { now: () => time, setTimeout: () => 0, clearTimeout: () => {} };
      const timed = drawbridgeCode.createPage({ window, hooks: { clock } });
      const query = document.querySelectorAll.bind(document);
      document.querySelectorAll = (selector: string) => {
        if (selector === '.slow') time += 51;
        if (selector === '.stuck') time += 451;
        return query(selector);
      };
      const answers = [];
      for (const selector of asked)
        answers.push(await drawbridgeCode.callPage(timed, 'find', [{ selector }]));
      return answers;
    }, selectors);
  };
  const refused = { ok: false, error: { code: 'handler_timeout', evidence: { reason: 'selector_slow' } } };
  const one = { ok: true, value: { count: 1 } };

  test('refuses only a selector that is slow three times in a row', async () => {
    const html = '<p class=slow>x</p><p class=quick>y</p>';
    const asked = ['.slow', '.slow', '.slow', '.slow', '.slow', '.quick'];
    expect(await found(html, ...asked)).toMatchObject([one, one, one, refused, refused, one]);
    expect(await found(html, '.slow')).toMatchObject([one]);
  });

  test('skips the remaining shadow roots once a selector is far over budget', async () => {
    const html = `<p class=stuck>x</p><x-a></x-a>
      <script>document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<p class=stuck>z</p>'</script>`;
    expect(await found(html, '.stuck', '.stuck')).toMatchObject([refused, refused]);
  });
});
