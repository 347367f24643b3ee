import { describe, expect, test } from 'vitest';
import { handsOn } from './hands.suite.ts';

test('a click makes a button work, and says that its events were made', async () => {
  await using hands = await handsOn(
    `<button onclick="out.value='pressed'">Press</button><output id=out></output>`,
  );
  expect(await hands.done('click', 'Press')).toMatchObject({
    fidelity: 'synthetic',
    verification_passed: true,
  });
  expect(await hands.text('#out')).toBe('pressed');
});

test('a click sends what a mouse sends, in its order, to the innermost element', async () => {
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

test('a double click is two clicks and a dblclick', async () => {
  await using hands = await handsOn(
    `<button ondblclick="out.value+=' twice'" onclick="out.value+=event.detail">Press</button><output id=out></output>`,
  );
  await hands.done('doubleClick', 'Press');
  expect(await hands.text('#out')).toBe('12 twice');
});

test('[INT-124] a click on what is covered fails, naming the cover', async () => {
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

test('what was hidden since it was seen is not clicked', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.setAttribute('style', 'visibility:hidden'));
  expect(await hands.refused('click', 'Buy')).toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'hidden' },
  });
});

test('what cannot be scrolled into view is off screen', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.setAttribute('style', 'position:fixed;left:-500px'));
  expect(await hands.refused('click', 'Buy')).toMatchObject({ evidence: { reason: 'off_screen' } });
});

test('what has left the page for good is said to have', async () => {
  await using hands = await handsOn(`<button id=b>Buy</button>`);
  await hands.run(() => document.querySelector('#b')?.remove());
  expect(await hands.refused('click', 'Buy')).toMatchObject({
    code: 'target_not_found',
    evidence: { reason: 'detached' },
  });
});

test('an id that was never given is unknown', async () => {
  await using hands = await handsOn(`<button>Buy</button>`);
  const result = await hands.run(() => handsKit.hands.click('999'));
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'target_not_found', evidence: { reason: 'unknown_id' } },
  });
});

describe('an action meant for another origin is refused', () => {
  const elsewhere = { origin: 'https://shop.example' };
  const refused = {
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'changed_origin', origin: 'http://page.test' } },
  };

  test('on an element', async () => {
    await using hands = await handsOn(`<button>Buy</button>`);
    expect(await hands.act('click', 'Buy', elsewhere)).toMatchObject(refused);
  });

  test('[BRG-69] and where the focus is: no key is pressed', async () => {
    await using hands = await handsOn(`<input aria-label=Name autofocus>`);
    await hands.run(() => document.querySelector('input')?.focus());
    expect(await hands.keys('a', elsewhere)).toMatchObject(refused);
    expect(await hands.page.inputValue('input')).toBe('');
    expect(await hands.keys('a', { origin: 'http://page.test' })).toMatchObject({ ok: true });
    expect(await hands.page.inputValue('input')).toBe('a');
  });

  test('[BRG-69] and on the page itself: it is not scrolled', async () => {
    await using hands = await handsOn(`<p>Top</p><div style="height:5000px"></div>`);
    const scroll = (origin: string) =>
      hands.run((meant) => handsKit.hands.scroll(undefined, { to: 'end', origin: meant }), origin);
    expect(await scroll(elsewhere.origin)).toMatchObject(refused);
    expect(await hands.run(() => scrollY)).toBe(0);
    expect(await scroll('http://page.test')).toMatchObject({ ok: true });
    expect(await hands.run(() => scrollY)).toBeGreaterThan(0);
  });
});

test('what lies below the view is brought into it first', async () => {
  await using hands = await handsOn(`<div style="height:300px;overflow:auto"><div style="height:200px"></div>
    <button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div></div><output id=out></output>`);
  await hands.run(() => document.querySelector('div')?.scrollTo(0, 3000));
  await hands.done('click', 'Buy');
  expect(await hands.text('#out')).toBe('pressed');
});

test('a sticky header does not cover what is scrolled under it', async () => {
  await using hands =
    await handsOn(`<header style="position:fixed;top:0;left:0;right:0;height:80px;background:white">Shop</header>
    <div style="height:100px"></div><button onclick="out.value='pressed'">Buy</button><div style="height:3000px"></div><output id=out></output>`);
  await hands.run(() => scrollTo(0, 80));
  await hands.done('click', 'Buy');
  expect(await hands.text('#out')).toBe('pressed');
});

test('[INT-214] an element in an open shadow root is pressed', async () => {
  await using hands = await handsOn(
    `<x-a><template shadowrootmode=open><button onclick="this.textContent='Bought'">Buy</button></template></x-a>`,
  );
  const { effect, id } = await hands.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('an element in a frame of the same origin is pressed', async () => {
  await using hands = await handsOn(
    `<iframe srcdoc="<button onclick=&quot;this.textContent='Bought'&quot;>Buy</button>"></iframe>`,
  );
  await hands.page.frameLocator('iframe').getByRole('button').waitFor();
  await hands.see();
  const { effect, id } = await hands.done('click', 'Buy');
  expect(effect.changed).toEqual([{ i: id, n: 'Bought' }]);
});

test('a checkbox behind its label is pressed through the label', async () => {
  await using hands = await handsOn(
    `<label><input type=checkbox style="position:absolute;opacity:0;width:0;height:0">I agree</label>`,
  );
  expect(await hands.done('check', 'I agree')).toMatchObject({ verification_passed: true });
  expect(await hands.page.locator('input').isChecked()).toBe(true);
});

test('an action waits its turn', async () => {
  await using hands = await handsOn(
    `<button onclick="out.value+='a'">A</button><button onclick="out.value+='b'">B</button><output id=out></output>`,
  );
  const [first, second] = await hands.run(
    ([a, b]) => Promise.all([handsKit.hands.click(a), handsKit.hands.click(b)]),
    [hands.idOf('A'), hands.idOf('B')] as const,
  );
  expect([first.ok, second.ok, await hands.text('#out')]).toEqual([true, true, 'ab']);
});
