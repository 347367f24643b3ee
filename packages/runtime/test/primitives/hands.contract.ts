import { describe, expect, test } from 'vitest';
import { idOf, type PrimitiveHarness } from './primitive-harness.ts';
import type { ConformingHost } from './primitives.contract.ts';

/** A page that writes down every input it gets. */
const PAGE = `<title>Hands</title>
<style>
  body { margin: 0; height: 3000px; font: 16px monospace }
  #pad { position: absolute; left: 20px; top: 20px; width: 300px; height: 200px; background: #eee }
  #box { position: absolute; left: 20px; top: 300px; width: 200px; height: 100px; overflow: auto }
  #box div { width: 1000px; height: 1000px }
  #hold { position: absolute; left: 350px; top: 20px }
  #name { position: absolute; left: 350px; top: 100px }
  #words { position: absolute; left: 350px; top: 200px; margin: 0 }
  #log { position: fixed; right: 0; bottom: 0; white-space: pre }
</style>
<div id="pad" role="img" aria-label="Pad" tabindex="0"></div>
<div id="box" role="region" aria-label="Box" tabindex="0"><div>Long</div></div>
<button id="hold">Hold</button>
<input id="name" aria-label="Name" value="one two three">
<p id="words" role="note" aria-label="Words" tabindex="0">The quick brown fox</p>
<output id="log"></output>
<script>
  window.log = [];
  const pad = document.querySelector('#pad');
  const note = (event) => {
    const { left, top } = pad.getBoundingClientRect();
    const held = ['alt', 'ctrl', 'meta', 'shift'].filter((key) => event[key + 'Key']).join();
    window.log.push([event.type, Math.round(event.clientX - left), Math.round(event.clientY - top), event.detail, held].join(' '));
  };
  for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mousedown', 'mouseup', 'mousemove', 'touchstart', 'wheel'])
    pad.addEventListener(type, note);
  pad.addEventListener('contextmenu', (event) => event.preventDefault());
  const hold = document.querySelector('#hold');
  let timer;
  hold.addEventListener('mousedown', () => {
    timer = setTimeout(() => { hold.insertAdjacentHTML('afterend', '<p>Held long enough</p>'); }, 300);
  });
  hold.addEventListener('mouseup', () => clearTimeout(timer));
  document.addEventListener('keydown', ({ key, ctrlKey }) => window.log.push('down ' + (ctrlKey ? 'Control+' : '') + key));
  document.addEventListener('keyup', ({ key }) => window.log.push('up ' + key));
</script>`;

const CAPTURING = `<!doctype html><meta charset=utf-8><title>Capturing</title>
<div id="strip" style="width:300px;height:100px"><button style="width:200px;height:90px">Card</button></div>
<button id="trap">Trap</button> <button id="order">Place order</button>
<script>
  window.log = [];
  strip.onpointerdown = ({ pointerId }) => strip.setPointerCapture(pointerId);
  strip.onpointerup = () => window.log.push('strip up');
  trap.onpointerdown = ({ pointerId }) => { window.log.push('trap down'); order.setPointerCapture(pointerId); };
  for (const type of ['pointerup', 'mouseup', 'click']) order.addEventListener(type, () => window.log.push('order ' + type));
</script>`;

/** Trees that are drawn again at Enter's keydown, which leaves the focus on a row, a button or a field of a form. */
const LEAVING_FIELD = `<!doctype html><meta charset=utf-8><title>Leaving fields</title>
<ul role=tree id=t1></ul><ul role=tree id=t2></ul><ul role=tree id=t3></ul>
<button id="buy">Buy now</button><form id="form"><input id="next" aria-label="Next"></form>
<script>
  window.log = [];
  const draw = (tree, inner) => {
    tree.innerHTML = '<li role=treeitem tabindex=-1><span>Part II</span><ul role=group><li role=treeitem tabindex=-1 aria-label=Leaf><span>' + inner + '</span></li></ul></li>';
  };
  const rename = (tree, name, after) => {
    draw(tree, '<input aria-label="' + name + '">');
    const field = tree.querySelector('input');
    field.onkeydown = ({ key }) => {
      if (key !== 'Enter') return;
      window.log.push(name + ': ' + field.value);
      draw(tree, 'Leaf');
      after(tree).focus();
    };
  };
  rename(t1, 'First', (tree) => tree.querySelector('[aria-label]'));
  rename(t2, 'Second', () => buy);
  rename(t3, 'Third', () => next);
  for (const type of ['keypress', 'keyup']) t1.addEventListener(type, ({ key }) => { if (key === 'Enter') window.log.push(type); });
  buy.addEventListener('click', () => window.log.push('bought'));
  form.addEventListener('submit', (event) => { event.preventDefault(); window.log.push('submitted'); });
</script>`;

/** Every action of a hand, with trusted input and by page script: the same tests for all hosts. */
export function describeHands({ host, fidelity, show, start }: ConformingHost): void {
  describe(`hands on the ${host} host, ${fidelity}`, () => {
    const isTrusted = fidelity === 'trusted';
    const open = async (html = PAGE): Promise<PrimitiveHarness> => start(await show(html));
    const logOf = ({ tab }: PrimitiveHarness, types: string): Promise<string[]> =>
      tab.evaluate((wanted) => {
        const all: unknown = Reflect.get(globalThis, 'log');
        return (Array.isArray(all) ? all : []).map(String).filter((line) => line.match(wanted));
      }, types);
    const lacking = { code: 'capability_unavailable', evidence: { capability: 'trusted_input', host } };

    test('clicks with each button, count and modifier at a point inside an element', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Pad');
      const clicked = await harness.run('element.click', { id, at: [40, 30], modifiers: ['Shift'] });
      expect(clicked).toMatchObject({ action: 'click', id, fidelity });
      await harness.run('element.click', { id, at: [50, 30], count: 3 });
      await harness.run('element.double_click', { id, at: [60, 30] });
      await harness.run('element.click', { id, at: [70, 30], button: 'right' });
      await harness.run('element.click', { id, at: [80, 30], button: 'middle' });
      expect(await logOf(harness, '^(click|dblclick|contextmenu|auxclick)')).toEqual([
        'click 40 30 1 shift',
        ...['click 50 30 1 ', 'click 50 30 2 ', 'dblclick 50 30 2 ', 'click 50 30 3 '],
        ...['click 60 30 1 ', 'click 60 30 2 ', 'dblclick 60 30 2 '],
        expect.stringMatching(/^contextmenu 70 30/),
        ...(isTrusted ? ['auxclick 70 30 1 '] : []),
        'auxclick 80 30 1 ',
      ]);
    });

    test('[BRG-185] clicks at a point of the viewport, and reports what is there', async () => {
      const harness = await open();
      const clicked = await harness.run('element.click', { at: [120, 60] });
      expect(clicked.on).toContain('Pad');
      expect(clicked.id).toBeUndefined();
      expect(await logOf(harness, '^click')).toEqual(['click 100 40 1 ']);
      await expect(harness.run('element.click', { at: [5_000, 60] })).rejects.toMatchObject({
        code: expect.stringMatching(/state_mismatch|invalid_input|target_not_found/),
      });
    });

    test('[BRG-185] refuses a point outside the element, and one that something covers', async () => {
      const harness = await open(
        '<button style="width:200px;height:100px">Wide</button><p style="position:absolute;left:0;top:0;width:60px;height:60px;background:red" onclick="document.title=1">Cover</p>',
      );
      const id = await idOf(harness, 'Wide');
      await expect(harness.run('element.click', { id, at: [250, 10] })).rejects.toMatchObject({
        code: 'state_mismatch',
        evidence: { reason: 'wrong_value' },
      });
      await expect(harness.run('element.click', { id, at: [10, 10] })).rejects.toMatchObject({
        code: 'state_mismatch',
        evidence: { reason: 'covered' },
      });
      expect(await harness.tab.title()).not.toBe('1');
    });

    test('hovers and moves along a path', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Pad');
      await harness.run('element.hover', {
        id,
        path: [
          [10, 10],
          [20, 15],
          [30, 20],
        ],
      });
      await harness.run('element.hover', { at: [120, 120] });
      expect(await logOf(harness, '^mousemove')).toEqual([
        ...['mousemove 10 10 0 ', 'mousemove 20 15 0 ', 'mousemove 30 20 0 ', 'mousemove 100 100 0 '],
      ]);
    });

    test('holds a button for a time, and until a text comes', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Pad');
      await harness.run('element.click', { id, at: [5, 5], hold_ms: 50 });
      expect(await logOf(harness, '^(mousedown|mouseup|click)')).toEqual([
        ...['mousedown 5 5 1 ', 'mouseup 5 5 1 ', 'click 5 5 1 '],
      ]);
      const held = await harness.run('element.click', {
        ...{ id: await idOf(harness, 'Hold'), hold_ms: 20_000, until: 'Held long enough' },
      });
      expect(held.achieved).toBeUndefined();
      expect(await harness.tab.locator('p', { hasText: 'Held long enough' }).count()).toBe(1);
      const early = harness.runAny('element.click', { id, until: 'Held long enough' });
      await expect(early).rejects.toMatchObject({
        code: 'invalid_input',
        evidence: { reason: 'wrong_value' },
      });
      const failed = await harness.run('element.click', { id, hold_ms: 100, until: 'Never shown' });
      expect(failed).toMatchObject({ achieved: false, verification_passed: false });
    });

    test('[BRG-212] presses an element that moves all the time, and nothing behind it', async () => {
      const harness =
        await open(`<div id="bin" style="position:relative;height:400px"><button style="position:absolute;width:200px;height:90px">Catch</button></div>
        <script>
          const [button, bin] = [document.querySelector('button'), document.querySelector('#bin')];
          window.log = [];
          let turn = 0;
          setInterval(() => {
            turn += 0.01;
            button.style.left = 250 + 220 * Math.sin(turn) + 'px';
            button.style.top = 120 + 100 * Math.cos(turn * 1.3) + 'px';
          }, 16);
          bin.addEventListener('click', ({ target }) => window.log.push(target.localName));
        </script>`);
      const id = await idOf(harness, 'Catch');
      for (const _ of [1, 2, 3]) await harness.run('element.click', { id });
      expect(await logOf(harness, '.')).toEqual(['button', 'button', 'button']);
    });

    test('drags to a point, by an offset and along a path', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Pad');
      await harness.run('element.drag', { id, at: [10, 10], to: [100, 10] });
      await harness.run('element.drag', { id, at: [10, 20], by: [30, 0] });
      await harness.run('element.drag', {
        id,
        path: [
          [10, 30],
          [50, 60],
          [90, 30],
        ],
      });
      await harness.run('element.drag', { at: [30, 60], to: [60, 70] });
      expect(await logOf(harness, '^mouse(down|up)')).toEqual([
        ...['mousedown 10 10 1 ', 'mouseup 100 10 1 '],
        ...['mousedown 10 20 1 ', 'mouseup 40 20 1 '],
        ...['mousedown 10 30 1 ', 'mouseup 90 30 1 '],
        ...['mousedown 10 40 1 ', 'mouseup 40 50 1 '],
      ]);
      expect(await logOf(harness, '^mousemove 50 60')).not.toEqual([]);
      await expect(harness.run('element.drag', { id })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('scrolls the page and a box, and says where they stand', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Box');
      const inBox = await harness.run('element.scroll_to', { id, to: [300, 400] });
      expect(inBox.position).toMatchObject({ x: 300, y: 400 });
      const end = await harness.run('element.scroll_to', { id, to: 'end' });
      expect(end.position?.y).toBe(end.position?.max_y);
      const right = await harness.run('element.scroll_to', { id, direction: 'right', to: 'end' });
      expect(right.position?.x).toBe(right.position?.max_x);
      const page = await harness.run('element.scroll_to', { to: 'end' });
      expect(page.position?.y).toBeGreaterThan(2000);
      expect(page.position?.y).toBe(page.position?.max_y);
      const back = await harness.run('element.scroll_to', { to: 'start' });
      expect(back.position?.y).toBe(0);
      await harness.run('element.wheel', { id: await idOf(harness, 'Pad'), by: [0, 120] });
      expect(await logOf(harness, '^wheel')).toHaveLength(1);
      await expect.poll(() => harness.tab.evaluate(() => scrollY)).toBe(120);
    });

    test('follows a list that grows at its end', async () => {
      const harness =
        await open(`<div id="list" role="region" aria-label="List" tabindex="0" style="height:200px;overflow:auto"><p style="height:500px">1</p></div>
        <script>let n = 1; list.onscroll = () => { if (n < 4 && list.scrollTop + 200 > list.scrollHeight - 20) { n++; list.insertAdjacentHTML('beforeend', '<p style="height:500px">' + n + '</p>') } }</script>`);
      const { position } = await harness.run('element.scroll_to', {
        ...{ id: await idOf(harness, 'List'), to: 'end' as const },
      });
      expect(position?.y).toBe(position?.max_y);
      expect(await harness.tab.locator('#list p').count()).toBe(4);
    });

    test('selects text by words and by range', async () => {
      const harness = await open();
      const selected = () => harness.tab.evaluate(() => getSelection()?.toString());
      await harness.run('element.select_text', { id: await idOf(harness, 'Words'), text: 'quick brown' });
      expect(await selected()).toBe('quick brown');
      const name = await idOf(harness, 'Name');
      const acted = await harness.run('element.select_text', { id: name, range: [4, 7] });
      expect(await selected()).toBe('two');
      expect(acted.effect.seen?.join()).toContain('two');
      await harness.run('element.select_text', { id: name, text: 't', nth: 2 });
      expect(
        await harness.tab.evaluate(() => Reflect.get(Object(document.activeElement), 'selectionStart')),
      ).toBe(8);
      const many = harness.run('element.select_text', { id: name, text: 't', nth: 9 });
      await expect(many).rejects.toThrow('only 2 times');
      await expect(harness.run('element.select_text', { id: name, text: 'four' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    test('presses chords, and says which element had the focus', async () => {
      const harness = await open();
      const name = await idOf(harness, 'Name');
      await harness.run('element.keys', { id: name, keys: ['Control+a'] });
      const { on } = await harness.run('element.keys', { keys: 'x' });
      expect(on).toContain('Name');
      expect(await harness.tab.locator('#name').inputValue()).toBe('x');
      expect(await logOf(harness, '^down')).toContain('down Control+a');
      await harness.tab.locator('#pad').focus();
      await harness.run('element.keys', { keys: 'End' });
      await expect.poll(() => harness.tab.evaluate(() => scrollY)).toBeGreaterThan(1000);
      await harness.run('element.keys', { keys: 'ContextMenu' });
      expect(await logOf(harness, '^down ContextMenu')).toHaveLength(1);
      await harness.run('element.keys', { keys: 'Control+Shift+Y' });
      expect(await logOf(harness, '^down Control.Y')).toHaveLength(1);
    });

    test('moves the caret and selects by keys, with trusted input', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Name');
      const keys = ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Backspace', 'Home', 'Delete'];
      const acted = await harness.run('element.keys', { id, keys });
      if (isTrusted) expect(await harness.tab.locator('#name').inputValue()).toBe('ne two thr');
      else expect(acted).toMatchObject({ achieved: false, verification_passed: false });
    });

    test('holds keys down with trusted input; page script is refused', async () => {
      const harness = await open();
      const id = await idOf(harness, 'Pad');
      const down = harness.run('element.keys', { id, keys: 'Shift', phase: 'down' });
      if (!isTrusted) {
        await expect(down).rejects.toMatchObject(lacking);
        await expect(harness.run('element.keys', { id, keys: 'a', hold_ms: 5 })).rejects.toMatchObject(
          lacking,
        );
        await expect(harness.run('element.click', { id, touch: true })).rejects.toMatchObject(lacking);
        return;
      }
      await down;
      await harness.run('element.click', { id, at: [5, 5] });
      await harness.run('element.keys', { keys: 'Shift', phase: 'up' });
      await harness.run('element.click', { id, at: [6, 6] });
      expect(await logOf(harness, '^click')).toEqual(['click 5 5 1 shift', 'click 6 6 1 ']);
      await harness.run('element.keys', { id, keys: 'ArrowRight', hold_ms: 20 });
      expect(await logOf(harness, 'ArrowRight')).toEqual(['down ArrowRight', 'up ArrowRight']);
      await harness.run('element.click', { id, at: [9, 9], touch: true });
      expect(await logOf(harness, '^touchstart')).toHaveLength(1);
      expect(await logOf(harness, '^click')).toHaveLength(3);
      await harness.run('element.click', { id, at: [9, 9], touch: true, count: 2 });
      expect(await logOf(harness, '^touchstart')).toHaveLength(3);
      expect(await logOf(harness, '^dblclick')).toHaveLength(1);
    });

    test('a box around the pressed element may capture the pointer, and no other element', async () => {
      if (!isTrusted) return;
      const harness = await open(CAPTURING);
      const within = await idOf(harness, 'Card');
      await harness.run('element.click', { id: within, count: 2 });
      await harness.run('element.click', { id: within, touch: true, count: 2 });
      expect(await logOf(harness, '^strip up')).toHaveLength(4);
      const beside = await idOf(harness, 'Trap');
      await harness.run('element.click', { id: beside }).catch(() => undefined);
      expect(await logOf(harness, '^(order|trap)')).toEqual(['trap down']);
    });

    test('a key whose field goes at its first event is done, and nothing follows it', async () => {
      if (!isTrusted) return;
      const harness = await open(LEAVING_FIELD);
      await harness.run('element.keys', { id: await idOf(harness, 'First'), keys: ['x', 'y'] });
      await harness.run('element.keys', { keys: 'Enter' });
      // Where the key itself would press or send something, it is not done.
      for (const name of ['Second', 'Third'])
        await expect(
          harness.run('element.keys', { id: await idOf(harness, name), keys: 'Enter' }),
        ).rejects.toMatchObject({ evidence: { reason: 'covered' } });
      expect(await logOf(harness, '.')).toEqual(['First: xy', 'Second: ', 'Third: ']);
    });
  });
}
