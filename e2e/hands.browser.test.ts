import { createServer } from 'node:http';
import { listenOnLoopback, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, idOf, startSharedAgent } from './mcp-client.ts';

const PAGES: Readonly<Record<string, string>> = {
  '/tabs': `<button onclick="window.open('/code')">Popup</button> <a href="/code?by=link" target=_blank>In a tab</a>
    <label>Note <input id=note></label> <output id=got></output>
    <script>onmessage = ({ data }) => { got.value = 'got ' + data; }</script>`,
  '/code': `<label>Code <input id=code></label>
    <button onclick="opener.postMessage(code.value, '*')">Report</button>`,
  '/later': `<button onclick="setTimeout(() => { state.textContent = 'All is ready'; }, 300)">Start</button> <p id=state>Loading</p>`,
  '/clipboard': `<label>From <input id=from value="blue lamp"></label> <label>To <input id=to></label>
    <input id=other aria-label=Other value="of somebody else"><button onclick="other.select(); document.execCommand('copy')">Other copy</button>`,
  '/points': `<style>body { margin: 0; height: 3000px }
      #spot { position: absolute; left: 613px; top: 371px; width: 24px; height: 18px; background: #00f; }</style>
    <div id=spot></div><output id=hits style="font: 20px monospace"></output>
    <script>onclick = ({ target, clientX, clientY }) => { hits.value += (target === spot ? 'hit' : 'missed ' + clientX + ',' + clientY) + ' '; }</script>`,
  '/marks': `<style>button { position: absolute; left: 100px; width: 200px; height: 60px; background: #fff; border: 0 }</style>
    <button style="top: 50px">One</button><button style="top: 250px">Two</button><p style="position: absolute; top: 450px; left: 100px">Words</p>`,
};

let agent: Agent;
let url = '';
const server = createServer(({ url: path = '/' }, response) => {
  const page = PAGES[path.split('?')[0] ?? ''] ?? '';
  response.setHeader('content-type', 'text/html').end(`<!doctype html><title>${path}</title>${page}`);
});
beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  agent = await startSharedAgent({ url }, { path: '/tabs' });
});
afterAll(async () => {
  await agent?.close();
  server.closeAllConnections();
  server.close();
});

const act = async (steps: readonly object[], more: object = {}) =>
  (await agent.callForText('act', { ...more, steps })).text;
const goTo = (path: string) => agent.callForText('tabs', { do: 'navigate', url: `${url}${path}` });
const look = async () => (await agent.callForText('snapshot', { fresh: true, scope: 'page' })).text;

test('[BRG-207] steps of one batch act in a tab that a step opened, and in the first one again', async () => {
  await goTo('/tabs');
  const text = await act(
    [
      { do: 'click', target: 'button Popup' },
      { do: 'fill', tab: 'new', target: 'Code', value: '4711' },
      { do: 'click', tab: '/code', target: 'button Report' },
      { do: 'wait', value: 'got 4711' },
      { do: 'fill', target: 'Note', value: 'done' },
      { do: 'look' },
    ],
    { tab: '/tabs' },
  );
  expect(text).toContain('2 fill Code in new ok');
  expect(text).toContain('3 click button Report in /code');
  expect(text).toMatch(/4 wait got 4711 ok after \d+ ms\n5 fill Note ok\n6 look ok/);
  expect(text).toContain('Note ="done"');
  await agent.callForText('tabs', { do: 'close', tab: '/code' });
});

test('[BRG-207] a link that opens a tab is followed by its address; without a new tab `new` is refused', async () => {
  const opened = await act([
    { do: 'click', target: 'link In a tab' },
    { do: 'fill', tab: 'by=link', target: 'Code', value: '12' },
    { do: 'look', tab: 'new' },
  ]);
  expect(opened).toContain('Code ="12"');
  await agent.callForText('tabs', { do: 'close', tab: 'by=link' });
  const none = await act([{ do: 'look' }, { do: 'click', tab: 'new', target: 'button Report' }]);
  expect(none).toContain('no step has opened a tab');
});

test('[BRG-184] waits for what comes and goes, and looks, as steps', async () => {
  await goTo('/later');
  const text = await act([
    { do: 'click', target: 'button Start' },
    { do: 'wait', value: 'All is ready' },
    { do: 'wait_gone', value: 'Loading' },
    { do: 'wait', ms: 1 },
    { do: 'look', value: 'ready' },
    { do: 'wait_gone', value: 'All is ready', ms: 50 },
  ]);
  expect(text).toMatch(
    /2 wait All is ready ok after \d+ ms\n3 wait_gone Loading ok after \d+ ms\n4 wait ok\n5 look ok/,
  );
  expect(text).toContain('6 wait_gone All is ready failed');
  expect(text).toContain('> All is ready');
});

test('[BRG-184] runs 200 steps, and refuses one more before any runs', async () => {
  const steps = Array.from({ length: 200 }, () => ({ do: 'wait', ms: 0 }));
  const text = await act(steps);
  expect(text.split('\n').filter((line) => line.endsWith('wait ok'))).toHaveLength(200);
  expect(await act([{ do: 'click', target: 'button Start' }, ...steps])).toMatch(/^invalid_input: .*200/);
});

test('[BRG-187] keys copy and paste a text of the page; pasting what somebody else copied asks', async () => {
  await goTo('/clipboard');
  const paste = { do: 'keys', target: 'To', value: 'Control+v' };
  // Nobody can be asked here, so a question is a no.
  expect(await act([paste])).toContain('permission_denied');
  const copied = await act([
    { do: 'keys', target: 'From', value: 'Control+a Control+c' },
    paste,
    { do: 'look' },
  ]);
  expect(copied).toContain('To ="blue lamp"');
  const other = await act([{ do: 'click', target: 'button Other copy' }, paste, { do: 'look' }]);
  expect(other).toContain('permission_denied');
  expect(await look()).toContain('To ="blue lamp"');
});

test.each([1024, 333, 4000])(
  '[BRG-186] a point of a picture %d wide presses what it shows there',
  async (max_width) => {
    await goTo('/points');
    const picture = await pictureOf({ max_width });
    const at = await middleOf(picture.data, [0, 0, 255]);
    await act([{ do: 'click', at }], { scale: picture.scale });
    expect(await look()).toContain('hit');
    expect(await look()).not.toContain('missed');
  },
);

test('[BRG-208] a picture with marks has a label at each element, and none elsewhere', async () => {
  await goTo('/marks');
  const seen = await look();
  expect(idOf(seen, 'btn One')).not.toBe(idOf(seen, 'btn Two'));
  const { data, scale } = await pictureOf({ marks: true });
  const [marked, plain] = [await pixelsOf(data), await pixelsOf((await pictureOf({})).data)];
  const areas = [50, 250, 450].map((y) => [100, y - 20, 300, y + 80].map((each) => each * scale));
  const differ = areas.map((area) => difference(marked, plain, area));
  expect(differ.map((count) => count > 50)).toEqual([true, true, false]);
});

async function pictureOf(args: object): Promise<{ readonly data: string; readonly scale: number }> {
  const { content } = await agent.client.callTool({ name: 'screenshot', arguments: { ...args } });
  const said = content.find((part) => part.type === 'text')?.text ?? '';
  const data = content.find((part) => part.type === 'image')?.data ?? '';
  return { data, scale: Number(/scale ([\d.]+)/.exec(said)?.[1]) };
}

/** The middle of what has this colour in a picture. */
async function middleOf(data: string, colour: readonly number[]): Promise<number[]> {
  const { width, bytes } = await pixelsOf(data);
  const xs: number[] = [];
  const ys: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    if (!colour.every((part, index) => Math.abs((bytes[at + index] ?? 0) - part) < 40)) continue;
    xs.push((at / 4) % width);
    ys.push(Math.floor(at / 4 / width));
  }
  const middle = (all: readonly number[]) => Math.round((Math.min(...all) + Math.max(...all)) / 2);
  return [middle(xs), middle(ys)];
}

/** The number of pixels in an area that differ between two pictures. */
function difference(
  one: Pixels,
  other: Pixels,
  [left = 0, top = 0, right = 0, bottom = 0]: number[],
): number {
  let count = 0;
  for (let y = Math.round(top); y < bottom; y++)
    for (let x = Math.round(left); x < right; x++) {
      const green = (y * one.width + x) * 4 + 1;
      if (Math.abs((one.bytes[green] ?? 0) - (other.bytes[green] ?? 0)) > 60) count++;
    }
  return count;
}

interface Pixels {
  readonly width: number;
  /** Red, green, blue, alpha. */
  readonly bytes: Buffer;
}

/** The pixels of a JPEG, as Chromium shows them. */
async function pixelsOf(data: string): Promise<Pixels> {
  await using opened = await openPage();
  const { width, pixels } = await opened.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const image = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
    let text = '';
    for (let at = 0; at < image.length; at += 30_000)
      text += String.fromCharCode(...image.subarray(at, at + 30_000));
    return { width: bitmap.width, pixels: btoa(text) };
  }, data);
  return { width, bytes: Buffer.from(pixels, 'base64') };
}
