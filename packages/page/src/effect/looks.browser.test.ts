import { expect, test, vi } from 'vitest';
import { handsOn } from '../act/hands.suite.ts';

const TWO = `<button>First</button><button>Second</button>`;

test.each([
  ['a node', `<p id=x></p>`, `x.innerHTML = '<button>New</button>'`],
  ['a name', `<button id=x>Old</button>`, `x.title = 'New'; x.textContent = ''`],
  ['what a field holds', `<input id=x>`, `x.value = 'New'`],
  ['a tick', `<input type=checkbox id=x>`, `x.checked = true`],
  ['a choice', `<select id=x><option>A<option>B</select>`, `x.selectedIndex = 1`],
  ['the focus', `<input id=x>`, `x.focus()`],
  ['the place', `<div style="height:3000px"></div>`, `scrollTo(0, 9)`],
  [
    'the place in a box',
    `<div id=x style="height:50px;overflow:auto"><p style="height:900px">`,
    `x.scrollTop = 9`,
  ],
  ['what a popover shows', `<div popover id=x><button>New</button></div>`, `x.showPopover()`],
  ['the address', ``, `history.pushState(null, '', '?new')`],
])('[INT-248] what happened between two acts is no effect of the second: %s', async (_, html, script) => {
  await using hands = await handsOn(TWO + html);
  await hands.done('click', 'First');
  await hands.page.evaluate(script);
  expect((await hands.done('click', 'Second')).effect).toMatchObject({
    happened: false,
    added: [],
    removed: [],
    changed: [],
  });
});

/** Counts hit tests: at least one for each element per look. */
const COUNTED = `<script>
  globalThis.asked = 0;
  const { elementFromPoint } = document;
  document.elementFromPoint = (x, y) => { asked++; return elementFromPoint.call(document, x, y); };
</script><button onclick="globalThis.before = asked">Go</button>${'<button>Other</button>'.repeat(40)}<p id=said>`;

test('looks only at its target when nothing changed since the last act', async () => {
  await using hands = await handsOn(COUNTED);
  const askedBefore = async () => {
    await hands.page.evaluate('asked = 0');
    await hands.done('click', 'Go');
    return hands.page.evaluate('before');
  };
  expect(await askedBefore()).toBeGreaterThan(40);
  expect(await askedBefore()).toBeLessThan(10);
  await hands.page.evaluate(`asked = 0; said.textContent = 'Somebody else was here.'`);
  // The page is looked at again while idle, so that the next act need not.
  await hands.page.waitForFunction('asked > 40');
  expect(await askedBefore()).toBeLessThan(10);
});

/** Counts searches for the text that tells one "Go" from another. */
const ROWS = `<script>
  globalThis.searched = 0;
  const { querySelectorAll } = Element.prototype;
  Element.prototype.querySelectorAll = function (selector) {
    if (selector.includes('legend')) searched++;
    return querySelectorAll.call(this, selector);
  };
</script><ul><li><b id=which>Lamp</b> <button>Go</button></ul>`;

test("[INT-212] computes an element's identity while idle, and again after a change", async () => {
  await using hands = await handsOn(ROWS);
  const prepare = async () => {
    await hands.page.evaluate('searched = 0');
    const press = await hands.run((id) => handsKit.hands.preparePress(id), hands.idOf('Go'));
    return { press, searched: await hands.page.evaluate('searched') };
  };
  expect((await prepare()).searched).toBeGreaterThan(0);
  // The idle callback may be over before the wait starts; the next click causes another.
  await vi.waitFor(
    async () => {
      await hands.done('click', 'Go');
      await hands.page.evaluate('searched = 0');
      await hands.page.waitForFunction('searched > 0', undefined, { timeout: 1_000 });
    },
    { timeout: 20_000 },
  );
  expect(await prepare()).toMatchObject({ press: { ok: true }, searched: 0 });
  await hands.page.evaluate(`which.textContent = 'Chair'`);
  const evidence = { reason: 'changed_identity' };
  expect(await prepare()).toMatchObject({ press: { ok: false, error: { evidence } } });
});

test('looks at a constantly changing page at growing intervals', async () => {
  await using hands = await handsOn(COUNTED);
  await hands.done('click', 'Go');
  const [looks, elapsedMs] = await hands.page.evaluate(async () => {
    const said = document.querySelector('#said');
    const begunAt = performance.now();
    Reflect.set(globalThis, 'asked', 0);
    for (let time = 0; time < 60; time++) {
      said?.replaceChildren(`${time}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return [Reflect.get(globalThis, 'asked') / 41, performance.now() - begunAt];
  });
  expect(looks).toBeGreaterThan(0);
  // Each wait is twice the last: 20 ms, 40, 80, and so on.
  expect(looks).toBeLessThan(2 * Math.log2(elapsedMs / 20 + 2));
});

test('stops looking when page code is closed', async () => {
  await using hands = await handsOn(COUNTED);
  await hands.done('click', 'Go');
  const asked = await hands.page.evaluate(async () => {
    handsKit.hands.close();
    Reflect.set(globalThis, 'asked', 0);
    document.querySelector('#said')?.replaceChildren('Anything');
    await new Promise((resolve) => setTimeout(resolve, 60));
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
    return Number(Reflect.get(globalThis, 'asked'));
  });
  expect(asked).toBe(0);
});
