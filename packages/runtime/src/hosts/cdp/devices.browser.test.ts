import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '@drawbridge/testbed';
import { afterAll, expect, test } from 'vitest';
import { decodePng } from '../../../test/hosts/cdp/decode-png.ts';
import { next, setUpTabs, startSite } from '../../../test/hosts/cdp/tab-harness.ts';
import type { Picture } from '../../host.ts';

const folder = await mkdtemp(join(tmpdir(), 'drawbridge-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const MOST_FILES = 3;
const { visit } = setUpTabs({
  executable: chromiumPath(),
  downloads: folder,
  downloadLimits: { files: MOST_FILES },
});

test('reports an open dialog, fails calls with that fact, and lets it be answered', async () => {
  await using tab = await visit('/corners/dialogs');
  const waiting = tab.host.callPage('untilStable', [{ quietMs: 20_000, timeoutMs: 25_000 }]);
  const interrupted = expect(waiting).rejects.toMatchObject({
    code: 'state_mismatch',
    evidence: { reason: 'dialog_open', dialog: 'confirm' },
  });
  const dialog = next(tab.host, 'dialog');
  const id = await tab.idOf('Confirm');
  const info = (await tab.host.callPage('snapshot', [{}])) as { page: { interactive_tree: Node[] } };
  const [x = 0, y = 0] = info.page.interactive_tree.find(({ i }) => i === id)?.xy ?? [];
  await tab.host.input?.press({ x, y, button: 'left', count: 1, modifiers: [] });
  expect(await dialog).toMatchObject({ dialog: 'confirm', message: 'Remove everything from the cart?' });
  await interrupted;
  expect(tab.host.dialogs?.open()).toMatchObject({ dialog: 'confirm' });
  await expect(tab.text()).rejects.toMatchObject({ evidence: { reason: 'dialog_open' } });
  await expect(tab.host.input?.keys('Enter')).rejects.toMatchObject({ evidence: { reason: 'dialog_open' } });
  await tab.host.dialogs?.answer(true);
  await tab.waitForText('confirmed');
  await expect(tab.host.dialogs?.answer(true)).rejects.toMatchObject({ code: 'state_mismatch' });
});

type Node = { i: string; xy?: [number, number] };

test('answers a prompt with a text', async () => {
  await using tab = await visit('/corners/dialogs');
  const dialog = next(tab.host, 'dialog');
  await tab.press('Prompt');
  await dialog;
  await tab.host.dialogs?.answer(true, 'For Ada');
  await tab.waitForText('prompt: For Ada');
});

test('ends a navigation at a beforeunload dialog with that fact', async () => {
  await using tab = await visit('/corners/dialogs');
  await tab.press('Ask before leaving');
  const { url } = tab.host.surface();
  await expect(tab.tabs.navigate({ url: new URL('/cart', url).href })).rejects.toMatchObject({
    evidence: { reason: 'dialog_open', dialog: 'beforeunload' },
  });
  const ready = next(tab.host, 'ready');
  await tab.host.dialogs?.answer(true);
  expect((await ready).url).toBe(new URL('/cart', url).href);
});

test('reports a download when it begins and when it is complete', async () => {
  await using site = await startSite((request, response) => {
    if (request.url !== '/bill') {
      response.setHeader('content-type', 'text/html').end('<a href="/bill">Bill</a>');
      return;
    }
    response.setHeader('content-disposition', 'attachment; filename="bill.txt"').end('25 euro');
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const began = next(tab.host, 'download', ({ state }) => state === 'started');
  const done = next(tab.host, 'download', ({ state }) => state === 'completed');
  await tab.press('Bill');
  expect(await began).toMatchObject({ url: `${site.url}/bill`, file: 'bill.txt' });
  const { file = '' } = await done;
  expect(await readFile(file, 'utf8')).toBe('25 euro');
});

test('stops downloads at the daily quota, with the limit and the time to try again', async () => {
  let asked = 0;
  await using site = await startSite((request, response) => {
    if (request.url !== '/bill') {
      response.setHeader('content-type', 'text/html').end('<a href="/bill">Bill</a>');
      return;
    }
    asked += 1;
    response.setHeader('content-disposition', `attachment; filename="bill-${asked}.txt"`).end('25 euro');
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const press = async () => {
    const over = next(tab.host, 'download', ({ state }) => state === 'completed' || state === 'refused');
    await tab.press('Bill');
    return over;
  };
  let last = await press();
  for (let file = 1; last.state === 'completed' && file < MOST_FILES; file += 1) last = await press();
  if (last.state === 'completed') last = await press();
  expect(last).toMatchObject({
    state: 'refused',
    refusal: { limit: 'downloads_per_day', message: expect.stringContaining('3 files today') },
  });
  const whole = async () => (await readdir(folder)).filter((name) => name.startsWith('bill')).length;
  await expect.poll(whole).toBe(MOST_FILES);
});

test('[BRG-94] takes a screenshot of the requested size without secrets', async () => {
  await using tab = await visit('/login');
  const plain = await tab.host.picture?.({ format: 'png' });
  expect(await tab.fill('Password', 'correct horse')).toMatchObject({ ok: true });
  const field = (await tab.see({ boxes: true })).page.interactive_tree.find(({ n }) => n === 'Password');
  const covered = await tab.host.picture?.({ format: 'png' });
  expect(covered?.width).toBe(plain?.width);
  const [left = 0, top = 0, width = 0, height = 0] = field?.box ?? [];
  const colours = coloursIn(covered, { left, top, width, height });
  expect(colours).toEqual(['0,0,0']);
  const small = await tab.host.picture?.({ format: 'jpeg', quality: 50, maxWidth: 320 });
  expect(small).toMatchObject({ mime_type: 'image/jpeg', width: 320 });
  expect(await tab.text()).toContain('Password');
});

test('takes pictures in turn, so that none has the scale of another or loses its masks', async () => {
  await using tab = await visit('/login');
  await tab.fill('Password', 'correct horse');
  const shot = async (maxWidth: number) => (await tab.host.picture?.({ format: 'png', maxWidth }))?.image;
  const widths = Array.from({ length: 12 }, (_, at) => [320, 500, 640][at % 3] ?? 0);
  const alone = new Map([320, 500, 640].map((width) => [width, '']));
  for (const width of alone.keys()) alone.set(width, (await shot(width)) ?? '');
  const together = await Promise.all(widths.map(shot));
  expect(together.map((image, at) => image === alone.get(widths[at] ?? 0))).toEqual(widths.map(() => true));
});

test('presses in a frame of another site while pictures of another size are taken', async () => {
  await using site = await startSite((request, response) => {
    response.setHeader('content-type', 'text/html');
    const other = `http://localhost:${request.socket.localPort}/frame`;
    response.end(
      request.url === '/frame'
        ? '<button onclick="this.nextSibling.textContent = \'pressed \' + ++window.count">Up</button><p>pressed 0</p><script>count = 0</script>'
        : `<h1>Till</h1><iframe src="${other}"></iframe>`,
    );
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await tab.waitForText('pressed 0');
  let over = false;
  const filmed = (async () => {
    while (!over) await tab.host.picture?.({ format: 'jpeg', maxWidth: 320 });
  })();
  const results: Awaited<ReturnType<typeof tab.click>>[] = [];
  for (let press = 0; press < 15; press += 1) results.push(await tab.click('Up'));
  over = true;
  await filmed;
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(await tab.text()).toContain('pressed 15');
});

test('masks a secret in a frame of another site', async () => {
  await using tab = await visit('/corners/frames');
  await tab.waitForText('Harbour Pay');
  await tab.fill('Card number', '4242 4242 4242 4242');
  await tab.host.callPage('scroll', [await tab.idOf('Pay 25 €')]);
  const field = (await tab.see({ boxes: true })).page.interactive_tree.find(({ n }) => n === 'Card number');
  const [left = 0, top = 0, width = 0, height = 0] = field?.box ?? [];
  const picture = await tab.host.picture?.({ format: 'png' });
  expect(coloursIn(picture, { left, top, width, height })).toEqual(['0,0,0']);
});

test('returns text from the clipboard as it was written', async () => {
  await using tab = await visit('/');
  await tab.host.clipboard?.write('two lamps');
  expect(await tab.host.clipboard?.read()).toBe('two lamps');
});

test('drops a draggable element, and drags one that follows the mouse', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`
      <div draggable=true style="position:fixed;left:0;top:0;width:50px;height:50px;background:teal"></div>
      <div style="position:fixed;left:200px;top:200px;width:80px;height:80px;background:gold"
        ondragover="event.preventDefault()" ondrop="out.value = 'dropped'"></div>
      <output id=out>nothing</output>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await tab.host.input?.drag(
    [
      { x: 25, y: 25 },
      { x: 240, y: 240 },
    ],
    5,
  );
  await tab.waitForText('dropped');
});

test('moves the mouse and turns its wheel with trusted events', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html>
      <div style="position:fixed;left:100px;top:100px;width:50px;height:50px;background:teal"
        onmousemove="out.value = 'over ' + event.isTrusted"></div>
      <div id=box style="position:fixed;left:200px;top:100px;width:100px;height:100px;overflow:auto"
        onscroll="said.value = 'scrolled ' + (box.scrollTop > 0 && box.scrollLeft === 0)">
        <div style="height:900px">tall</div></div>
      <output id=out></output><output id=said></output>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await tab.host.input?.move({ x: 120, y: 120 });
  await tab.waitForText('over true');
  await tab.host.input?.wheel({ x: 250, y: 150 }, { x: 0, y: 300 });
  await tab.waitForText('scrolled true');
});

test('reports the tab that was brought to the front as active', async () => {
  await using first = await visit('/');
  await using second = await visit('/cart');
  expect([first, second].map(({ host }) => host.surface().active)).toEqual([false, true]);
  await second.tabs.activate(first.tabId);
  expect([first, second].map(({ host }) => host.surface().active)).toEqual([true, false]);
  const tabs = await second.tabs.list();
  expect(tabs.filter(({ active }) => active).map(({ tab_id }) => tab_id)).toEqual([first.tabId]);
  await expect(first.tabs.activate('nowhere')).rejects.toMatchObject({ code: 'target_not_found' });
});

function coloursIn(
  picture: Picture | undefined,
  box: Parameters<ReturnType<typeof decodePng>['coloursIn']>[0],
) {
  return decodePng(Buffer.from(picture?.image ?? '', 'base64')).coloursIn(box);
}

test('moves the mouse to the press point unless it already rests there', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<body style="height:100vh"><script>
      const heard = [];
      for (const type of ['mousemove', 'mousedown'])
        addEventListener(type, ({ clientX }) => heard.push(type + clientX));
      addEventListener('mouseup', () => { document.title = heard.join(' '); });
    </script>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  for (const x of [40, 40, 60])
    await tab.host.input?.press({ x, y: 50, button: 'left', count: 1, modifiers: [] });
  const { title } = (await tab.host.callPage('page.info', [{}])) as { readonly title: string };
  expect(title).toBe('mousemove40 mousedown40 mousedown40 mousemove60 mousedown60');
});
