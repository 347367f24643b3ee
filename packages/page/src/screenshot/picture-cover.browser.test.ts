import { describe, expect, test } from 'vitest';
import { wholePages } from '../../test/whole-page.ts';

const { show } = wholePages();

const AT =
  'style="position:absolute;left:10px;top:20px;width:100px;height:30px;box-sizing:border-box;margin:0;border:0;padding:0"';
const BOX = { x: 10, y: 20, width: 100, height: 30 };

describe('places to mask in a screenshot', () => {
  test.each([
    ['a password', `<input type=password value=abcd ${AT}>`],
    ['a card number', `<input autocomplete=cc-number value=4111 ${AT}>`],
    ['an editable called PIN', `<div contenteditable aria-label=PIN ${AT}>1234</div>`],
    ['a field hidden by style', `<input value=abcd ${AT.slice(0, -1)};-webkit-text-security:disc">`],
  ])('[INT-278] %s', async (_, html) => expect(await (await show(html)).call('secretBoxes')).toEqual([BOX]));

  test.each([
    ['an empty password', '<input type=password>'],
    ['a plain field', '<input value=abcd>'],
    [
      'a password that is not in view',
      `<input type=password value=abcd style="position:absolute;top:9000px">`,
    ],
  ])('%s is no such place', async (_, html) =>
    expect(await (await show(html)).call('secretBoxes')).toEqual([]),
  );

  test('[INT-278] lists secrets in frames and shadow roots in page coordinates', async () => {
    const inner = `<input type=password value=abcd ${AT}>`.replaceAll('"', '&quot;');
    const frame = `<iframe style="position:absolute;left:100px;top:200px;border:0" srcdoc="${inner}"></iframe>`;
    expect(await (await show(frame)).call('secretBoxes')).toEqual([{ ...BOX, x: 110, y: 220 }]);
    const shadow = `<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML=
      '<input type=password value=abcd ${AT}>'</script>`;
    expect(await (await show(shadow)).call('secretBoxes')).toEqual([BOX]);
  });

  test('[INT-278] lists a text that repeats a secret', async () => {
    const page = await show(
      `<input type=password value=hunter2-abc><p ${AT.replace('width:100', 'width:400')}>You typed hunter2-abc</p>`,
    );
    const boxes = await page.call('secretBoxes');
    expect(boxes).toHaveLength(2);
    expect(boxes[1]).toMatchObject({ x: 10, y: 20 });
  });

  test.each([
    ['::before', `<style>b::before{content:attr(data-a)}</style><b data-a="is hunter2-abc" ${AT}></b>`],
    ['::after', `<style>b::after{content:"is hunter2-abc"}</style><b ${AT}></b>`],
    ['a placeholder', `<input placeholder="is hunter2-abc" ${AT}>`],
  ])('[INT-278] a secret in %s', async (_, html) => {
    const page = await show(`<input type=password value=hunter2-abc>${html}`);
    expect(await page.call('secretBoxes')).toContainEqual(BOX);
  });
});

describe('overlays', () => {
  test('[INT-278] mask in black, even over an open dialog, and leave no trace', async () => {
    const { page, call } = await show(`<dialog ${AT.replace('"', '"background:#fff;')}>
      <input type=password value=abcd style="position:fixed;left:10px;top:20px;width:100px;height:30px">
      </dialog><script>document.querySelector('dialog').showModal()</script>`);
    const html = () => page.evaluate(() => document.documentElement.outerHTML);
    // A Playwright screenshot rewrites the styles of fields.
    await colourAt(page, 0, 0);
    // The field gets its id while the page is idle.
    await page.waitForSelector('input[data-llm-id]');
    const before = await html();
    expect(await call('installMasks')).toBe(1);
    expect(await call('installMasks')).toBe(1);
    expect(await colourAt(page, 50, 35)).toEqual([0, 0, 0]);
    await call('removeMasks');
    expect(await colourAt(page, 90, 35)).toEqual([255, 255, 255]);
    expect(await html()).toBe(before);
  });

  test('mark elements in place, unreadable for the page', async () => {
    const { page, call } = await show(`<button ${AT}>Go</button>`);
    const snapshot = await call('snapshot', { boxes: true });
    expect(await call('installMarks', snapshot.page.interactive_tree)).toBe(1);
    expect(await colourAt(page, 10, 49)).toEqual([0x74, 6, 6]);
    const seen = await page.evaluate(() => {
      const host = document.querySelector('[data-drawbridge=marks]');
      return { shadow: host?.shadowRoot ?? null, text: host?.textContent };
    });
    expect(seen).toEqual({ shadow: null, text: '' });
    await call('removeMarks');
    expect(await page.locator('[data-drawbridge]').count()).toBe(0);
  });

  test('mark an element of a frame where the page shows it', async () => {
    const frame = `<iframe style="position:absolute;left:100px;top:200px;border:0" srcdoc='<button ${AT}>Go</button>'></iframe>`;
    const { page, call } = await show(frame);
    const snapshot = await call('snapshot');
    const [node] = snapshot.page.interactive_tree.filter(({ n }) => n === 'Go');
    expect(await call('installMarks', node === undefined ? [] : [{ i: node.i }])).toBe(1);
    expect(await colourAt(page, 110, 249)).toEqual([0x74, 6, 6]);
  });

  test('neither block a press nor appear in a snapshot', async () => {
    const { call } = await show(`<button ${AT}>Go</button>`);
    const before = await call('snapshot');
    await call('installMarks', before.page.interactive_tree);
    expect((await call('snapshot')).hash).toBe(before.hash);
    expect(await call('elementInfo', { selector: 'button' })).toMatchObject({ clickable: true });
  });
});

/** The colour of one pixel in a real screenshot. */
async function colourAt(
  page: Awaited<ReturnType<typeof show>>['page'],
  x: number,
  y: number,
): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, picture.toString('base64'));
}
