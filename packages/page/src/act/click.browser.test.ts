import { describe, expect, test } from 'vitest';
import { handsOn } from './hands.suite.ts';

test('activates a button and reports synthetic events', async () => {
  await using hands = await handsOn(
    `<button onclick="out.value='pressed'">Press</button><output id=out></output>`,
  );
  expect(await hands.done('click', 'Press')).toMatchObject({
    fidelity: 'synthetic',
    verification_passed: true,
  });
  expect(await hands.text('#out')).toBe('pressed');
});

test('sends the events of a mouse in order to the innermost element', async () => {
  await using hands = await handsOn(`<button id=b><b>Press</b></button><output id=out></output><script>
    const log = [];
    for (const type of ['pointerover','mouseover','pointermove','pointerdown','mousedown','focus','pointerup','mouseup','click'])
      b.addEventListener(type, (event) => { log.push(type + ':' + event.target.localName); out.value = log.join(' '); }, true);
  </script>`);
  await hands.done('click', 'Press');
  expect(await hands.text('#out')).toBe(
    'pointerover:b mouseover:b pointermove:b pointerdown:b mousedown:b focus:button pointerup:b mouseup:b click:b',
  );
});

test('sends two clicks and a dblclick for a double click', async () => {
  await using hands = await handsOn(
    `<button ondblclick="out.value+=' twice'" onclick="out.value+=event.detail">Press</button><output id=out></output>`,
  );
  await hands.done('doubleClick', 'Press');
  expect(await hands.text('#out')).toBe('12 twice');
});

test('[INT-124] fails on a covered element and names the cover', async () => {
  await using hands =
    await handsOn(`<button onclick="out.value='pressed'">Buy</button><output id=out></output>
    <div role=dialog aria-label=Newsletter style="position:fixed;inset:0;background:white"><button>Close</button></div>`);
  const error = await hands.refused('click', 'Buy');
  expect(error).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'covered', cover: "dialog 'Newsletter'" },
  });
  expect(error.message).toBe("btn 'Buy' is covered by dialog 'Newsletter'. Close or move that first.");
  expect(await hands.text('#out')).toBe('');
});

test.each([
  ['disabled', `<button disabled>Buy</button>`],
  ['disabled', `<fieldset disabled><button>Buy</button></fieldset>`],
  ['disabled', `<div aria-disabled=true><button>Buy</button></div>`],
])('what is %s is not clicked: %s', async (reason, html) => {
  await using hands = await handsOn(html);
  expect(await hands.refused('click', 'Buy')).toMatchObject({ code: 'state_mismatch', evidence: { reason } });
});

test('does not click an element hidden since it was seen', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.setAttribute('style', 'visibility:hidden'));
  expect(await hands.refused('click', 'Buy')).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'hidden' },
  });
});

test('reports off screen when the element cannot be scrolled into view', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.setAttribute('style', 'position:fixed;left:-500px'));
  expect(await hands.refused('click', 'Buy')).toMatchObject({ evidence: { reason: 'off_screen' } });
});

test('reports detached when the element was removed', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.remove());
  expect(await hands.refused('click', 'Buy')).toMatchObject({
    code: 'target_not_found',
    evidence: { reason: 'detached' },
  });
});

test('reports an id that was never given as unknown', async () => {
  await using hands = await handsOn(`<button>Buy</button>`);
  const result = await hands.run(() => handsKit.hands.click('999'));
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
    await using hands = await handsOn(`<button>Buy</button>`);
    expect(await hands.act('click', 'Buy', elsewhere)).toMatchObject(refused);
  });

  test('[BRG-69] at the focus: presses no key', async () => {
    await using hands = await handsOn(`<input aria-label=Name autofocus>`);
    await hands.run(() => document.querySelector('input')?.focus());
    expect(await hands.keys('a', elsewhere)).toMatchObject(refused);
    expect(await hands.page.inputValue('input')).toBe('');
    expect(await hands.keys('a', { origin: 'http://page.test' })).toMatchObject({ ok: true });
    expect(await hands.page.inputValue('input')).toBe('a');
  });

  test('[BRG-69] on the page itself: does not scroll', async () => {
    await using hands = await handsOn(`<p>Top</p><div style="height:5000px"></div>`);
    const scroll = (origin: string) =>
      hands.run((meant) => handsKit.hands.scroll(undefined, { to: 'end', origin: meant }), origin);
    expect(await scroll(elsewhere.origin)).toMatchObject(refused);
    expect(await hands.run(() => scrollY)).toBe(0);
    expect(await scroll('http://page.test')).toMatchObject({ ok: true });
    expect(await hands.run(() => scrollY)).toBeGreaterThan(0);
  });
});

test('scrolls an element into view first', async () => {
  await using hands = await handsOn(`<div style="height:300px;overflow:auto"><div style="height:200px"></div>
    <button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div></div><output id=out></output>`);
  await hands.run(() => document.querySelector('div')?.scrollTo(0, 3000));
  await hands.done('click', 'Buy');
  expect(await hands.text('#out')).toBe('pressed');
});

test('clicks an element scrolled under a sticky header', async () => {
  await using hands =
    await handsOn(`<header style="position:fixed;top:0;left:0;right:0;height:80px;background:white">Shop</header>
    <div style="height:100px"></div><button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div><output id=out></output>`);
  await hands.run(() => scrollTo(0, 80));
  await hands.done('click', 'Buy');
  expect(await hands.text('#out')).toBe('pressed');
});

test('[INT-214] presses an element in an open shadow root', async () => {
  await using hands = await handsOn(
    `<x-a><template shadowrootmode=open><button onclick="this.textContent='Bought'">Buy</button></template></x-a>`,
  );
  const { effect, id } = await hands.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('presses an element in a frame of the same origin', async () => {
  await using hands = await handsOn(
    `<iframe srcdoc="<button onclick=&quot;this.textContent='Bought'&quot;>Buy</button>"></iframe>`,
  );
  await hands.page.frameLocator('iframe').getByRole('button').waitFor();
  await hands.see();
  const { effect, id } = await hands.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('presses a checkbox through its label', async () => {
  await using hands = await handsOn(
    `<label><input type=checkbox style="position:absolute;opacity:0;width:0;height:0">I agree</label>`,
  );
  expect(await hands.done('check', 'I agree')).toMatchObject({ verification_passed: true });
  expect(await hands.page.locator('input').isChecked()).toBe(true);
});

test('runs actions one after another', async () => {
  await using hands = await handsOn(
    `<button onclick="out.value+='a'">A</button><button onclick="out.value+='b'">B</button><output id=out></output>`,
  );
  const [first, second] = await hands.run(
    ([a, b]) => Promise.all([handsKit.hands.click(a), handsKit.hands.click(b)]),
    [hands.idOf('A'), hands.idOf('B')] as const,
  );
  expect([first.ok, second.ok, await hands.text('#out')]).toEqual([true, true, 'ab']);
});
