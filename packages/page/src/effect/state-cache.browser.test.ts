import { expect, test, vi } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

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
  await using actions = await actionsOn(TWO + html);
  await actions.done('click', 'First');
  await actions.page.evaluate(script);
  expect((await actions.done('click', 'Second')).effect).toMatchObject({
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
  await using actions = await actionsOn(COUNTED);
  const askedBefore = async () => {
    await actions.page.evaluate('asked = 0');
    await actions.done('click', 'Go');
    return actions.page.evaluate('before');
  };
  expect(await askedBefore()).toBeGreaterThan(40);
  expect(await askedBefore()).toBeLessThan(10);
  await actions.page.evaluate(`asked = 0; said.textContent = 'Somebody else was here.'`);
  // The page is looked at again while idle, so that the next act need not.
  await actions.page.waitForFunction('asked > 40');
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
  await using actions = await actionsOn(ROWS);
  const prepare = async () => {
    await actions.page.evaluate('searched = 0');
    const press = await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Go'));
    return { press, searched: await actions.page.evaluate('searched') };
  };
  expect((await prepare()).searched).toBeGreaterThan(0);
  // The idle callback may be over before the wait starts; the next click causes another.
  await vi.waitFor(
    async () => {
      await actions.done('click', 'Go');
      await actions.page.evaluate('searched = 0');
      await actions.page.waitForFunction('searched > 0', undefined, { timeout: 1_000 });
    },
    { timeout: 20_000 },
  );
  expect(await prepare()).toMatchObject({ press: { ok: true }, searched: 0 });
  await actions.page.evaluate(`which.textContent = 'Chair'`);
  const evidence = { reason: 'changed_identity' };
  expect(await prepare()).toMatchObject({ press: { ok: false, error: { evidence } } });
});

test('looks at a constantly changing page at growing intervals', async () => {
  await using actions = await actionsOn(COUNTED);
  await actions.done('click', 'Go');
  const [stateCache, elapsedMs] = await actions.page.evaluate(async () => {
    const sent = document.querySelector('#said');
    const begunAt = performance.now();
    Reflect.set(globalThis, 'asked', 0);
    for (let time = 0; time < 60; time++) {
      sent?.replaceChildren(`${time}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return [Reflect.get(globalThis, 'asked') / 41, performance.now() - begunAt];
  });
  expect(stateCache).toBeGreaterThan(0);
  // Each wait is twice the last: 20 ms, 40, 80, and so on.
  expect(stateCache).toBeLessThan(2 * Math.log2(elapsedMs / 20 + 2));
});

test('stops looking when page code is closed', async () => {
  await using actions = await actionsOn(COUNTED);
  await actions.done('click', 'Go');
  const asked = await actions.page.evaluate(async () => {
    actionsKit.actions.close();
    Reflect.set(globalThis, 'asked', 0);
    document.querySelector('#said')?.replaceChildren('Anything');
    await new Promise((resolve) => setTimeout(resolve, 60));
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
    return Number(Reflect.get(globalThis, 'asked'));
  });
  expect(asked).toBe(0);
});
