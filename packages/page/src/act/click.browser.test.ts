import { describe, expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

test('activates a button and reports synthetic events', async () => {
  await using actions = await actionsOn(
    `<button onclick="out.value='pressed'">Press</button><output id=out></output>`,
  );
  expect(await actions.done('click', 'Press')).toMatchObject({
    fidelity: 'synthetic',
    verification_passed: true,
  });
  expect(await actions.text('#out')).toBe('pressed');
});

test('sends the events of a mouse in order to the innermost element', async () => {
  await using actions = await actionsOn(`<button id=b><b>Press</b></button><output id=out></output><script>
    const log = [];
    for (const type of ['pointerover','mouseover','pointermove','pointerdown','mousedown','focus','pointerup','mouseup','click'])
      b.addEventListener(type, (event) => { log.push(type + ':' + event.target.localName); out.value = log.join(' '); }, true);
  </script>`);
  await actions.done('click', 'Press');
  expect(await actions.text('#out')).toBe(
    'pointerover:b mouseover:b pointermove:b pointerdown:b mousedown:b focus:button pointerup:b mouseup:b click:b',
  );
});

test('sends two clicks and a dblclick for a double click', async () => {
  await using actions = await actionsOn(
    `<button ondblclick="out.value+=' twice'" onclick="out.value+=event.detail">Press</button><output id=out></output>`,
  );
  await actions.done('doubleClick', 'Press');
  expect(await actions.text('#out')).toBe('12 twice');
});

test('[INT-124] fails on a covered element and names the cover', async () => {
  await using actions =
    await actionsOn(`<button onclick="out.value='pressed'">Buy</button><output id=out></output>
    <div role=dialog aria-label=Newsletter style="position:fixed;inset:0;background:white"><button>Close</button></div>`);
  const error = await actions.refused('click', 'Buy');
  expect(error).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'covered', cover: "dialog 'Newsletter'" },
  });
  expect(error.message).toBe("btn 'Buy' is covered by dialog 'Newsletter'. Close or move that first.");
  expect(await actions.text('#out')).toBe('');
});

test.each([
  ['disabled', `<button disabled>Buy</button>`],
  ['disabled', `<fieldset disabled><button>Buy</button></fieldset>`],
  ['disabled', `<div aria-disabled=true><button>Buy</button></div>`],
])('what is %s is not clicked: %s', async (reason, html) => {
  await using actions = await actionsOn(html);
  expect(await actions.refused('click', 'Buy')).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason },
  });
});

test('does not click an element hidden since it was seen', async () => {
  await using actions = await actionsOn(`<button id=b>Buy</button>`);
  await actions.run(() => document.querySelector('#b')?.setAttribute('style', 'visibility:hidden'));
  expect(await actions.refused('click', 'Buy')).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'hidden' },
  });
});

test('reports off screen when the element cannot be scrolled into view', async () => {
  await using actions = await actionsOn(`<button id=b>Buy</button>`);
  await actions.run(() => document.querySelector('#b')?.setAttribute('style', 'position:fixed;left:-500px'));
  expect(await actions.refused('click', 'Buy')).toMatchObject({ evidence: { reason: 'off_screen' } });
});

test('reports detached when the element was removed', async () => {
  await using actions = await actionsOn(`<button id=b>Buy</button>`);
  await actions.run(() => document.querySelector('#b')?.remove());
  expect(await actions.refused('click', 'Buy')).toMatchObject({
    code: 'target_not_found',
    evidence: { reason: 'detached' },
  });
});

test('reports an id that was never given as unknown', async () => {
  await using actions = await actionsOn(`<button>Buy</button>`);
  const result = await actions.run(() => actionsKit.actions.click('999'));
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'target_not_found', evidence: { reason: 'unknown_id' } },
  });
});

describe('refuses an action for another origin', () => {
  const elsewhere = { origin: 'https://shop.example' };
  const refused = {
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'changed_origin', origin: 'http://page.test' } },
  };

  test('on an element', async () => {
    await using actions = await actionsOn(`<button>Buy</button>`);
    expect(await actions.act('click', 'Buy', elsewhere)).toMatchObject(refused);
  });

  test('[BRG-69] at the focus: presses no key', async () => {
    await using actions = await actionsOn(`<input aria-label=Name autofocus>`);
    await actions.run(() => document.querySelector('input')?.focus());
    expect(await actions.keys('a', elsewhere)).toMatchObject(refused);
    expect(await actions.page.inputValue('input')).toBe('');
    expect(await actions.keys('a', { origin: 'http://page.test' })).toMatchObject({ ok: true });
    expect(await actions.page.inputValue('input')).toBe('a');
  });

  test('[BRG-69] on the page itself: does not scroll', async () => {
    await using actions = await actionsOn(`<p>Top</p><div style="height:5000px"></div>`);
    const scroll = (origin: string) =>
      actions.run((meant) => actionsKit.actions.scroll(undefined, { to: 'end', origin: meant }), origin);
    expect(await scroll(elsewhere.origin)).toMatchObject(refused);
    expect(await actions.run(() => scrollY)).toBe(0);
    expect(await scroll('http://page.test')).toMatchObject({ ok: true });
    expect(await actions.run(() => scrollY)).toBeGreaterThan(0);
  });
});

test('scrolls an element into view first', async () => {
  await using actions =
    await actionsOn(`<div style="height:300px;overflow:auto"><div style="height:200px"></div>
    <button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div></div><output id=out></output>`);
  await actions.run(() => document.querySelector('div')?.scrollTo(0, 3000));
  await actions.done('click', 'Buy');
  expect(await actions.text('#out')).toBe('pressed');
});

test('clicks an element scrolled under a sticky header', async () => {
  await using actions =
    await actionsOn(`<header style="position:fixed;top:0;left:0;right:0;height:80px;background:white">Shop</header>
    <div style="height:100px"></div><button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div><output id=out></output>`);
  await actions.run(() => scrollTo(0, 80));
  await actions.done('click', 'Buy');
  expect(await actions.text('#out')).toBe('pressed');
});

test('[INT-214] presses an element in an open shadow root', async () => {
  await using actions = await actionsOn(
    `<x-a><template shadowrootmode=open><button onclick="this.textContent='Bought'">Buy</button></template></x-a>`,
  );
  const { effect, id } = await actions.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('presses an element in a frame of the same origin', async () => {
  await using actions = await actionsOn(
    `<iframe srcdoc="<button onclick=&quot;this.textContent='Bought'&quot;>Buy</button>"></iframe>`,
  );
  await actions.page.frameLocator('iframe').getByRole('button').waitFor();
  await actions.see();
  const { effect, id } = await actions.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('presses a checkbox through its label', async () => {
  await using actions = await actionsOn(
    `<label><input type=checkbox style="position:absolute;opacity:0;width:0;height:0">I agree</label>`,
  );
  expect(await actions.done('check', 'I agree')).toMatchObject({ verification_passed: true });
  expect(await actions.page.locator('input').isChecked()).toBe(true);
});

test('runs actions one after another', async () => {
  await using actions = await actionsOn(
    `<button onclick="out.value+='a'">A</button><button onclick="out.value+='b'">B</button><output id=out></output>`,
  );
  const [first, second] = await actions.run(
    ([a, b]) => Promise.all([actionsKit.actions.click(a), actionsKit.actions.click(b)]),
    [actions.idOf('A'), actions.idOf('B')] as const,
  );
  expect([first.ok, second.ok, await actions.text('#out')]).toEqual([true, true, 'ab']);
});
