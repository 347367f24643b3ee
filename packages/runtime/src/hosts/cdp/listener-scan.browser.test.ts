import type { ActionResult } from '@drawbridge/page';
import { expect, test } from 'vitest';
import { decodePng } from '../../../test/hosts/cdp/decode-png.ts';
import { LISTENING_KINDS, listeningPage } from '../../../test/hosts/cdp/listening-kinds.ts';
import { setUpTabs, startSite, type Tab } from '../../../test/hosts/cdp/tab-harness.ts';
import { CdpSurface } from './surface.ts';

const { visit } = setUpTabs();

/** Opens a tab with the page. */
async function shown(html: string) {
  const site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><meta charset=utf-8>${html}`);
  });
  const tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  return {
    ...tab,
    figures: () => {
      if (!(tab.host instanceof CdpSurface)) throw new Error('Another host.');
      return tab.host.listenerScanMetrics();
    },
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const namesIn = async (tab: Pick<Tab, 'see'>) =>
  (await tab.see()).page.interactive_tree.map(({ n }) => n).filter((name) => name !== '');

/**
 * Chromium routes input to an out-of-process frame only after its first compositor frame. An earlier press
 * reaches nothing, and is refused as `not_pressed`.
 */
async function clickRouted(tab: Tab, name: string): Promise<ActionResult> {
  for (;;) {
    const result = await tab.click(name);
    if (result.ok || result.error.evidence['reason'] !== 'not_pressed') return result;
  }
}

test('[INT-215] lists every kind of element that only has a listener, and no other', async () => {
  expect(LISTENING_KINDS.length).toBeGreaterThanOrEqual(20);
  await using tab = await shown(listeningPage());
  const names = await namesIn(tab);
  expect(LISTENING_KINDS.map(({ kind }) => kind).filter((kind) => !names.includes(kind))).toEqual([]);
  expect(names).not.toContain('silent');
  expect(tab.figures()).toMatchObject({ failures: 0 });
});

test('[INT-215] sees a listener that is added or removed without any change of the DOM', async () => {
  await using tab = await shown(`<div id=a>Later</div><button id=b>Swap</button><script>
    const hear = () => {};
    b.onclick = () => { if (b.on) a.removeEventListener('click', hear); else a.addEventListener('click', hear); b.on = !b.on; };
  </script>`);
  expect(await namesIn(tab)).toEqual(['Swap']);
  await tab.click('Swap');
  expect(await namesIn(tab)).toEqual(['Later', 'Swap']);
  await tab.click('Swap');
  expect(await namesIn(tab)).toEqual(['Swap']);
});

test('[INT-215] hands over more listeners than one batch while idle', async () => {
  await using tab = await shown(`<body><script>
    for (let at = 0; at < 300; at++) {
      const row = document.createElement(at % 2 ? 'p' : 'div');
      row.textContent = 'Row ' + at;
      row.addEventListener('click', () => {});
      document.body.append(row);
    }
  </script>`);
  let names = await namesIn(tab);
  expect(names.length).toBeGreaterThanOrEqual(64);
  while (names.length < 300) names = await namesIn(tab);
  expect(new Set(names).size).toBe(300);
});

test('sees, presses and fills elements in a closed shadow root', async () => {
  await using tab = await shown(`<my-card></my-card><output id=out></output><script>
    customElements.define('my-card', class extends HTMLElement {
      connectedCallback() {
        const root = this.attachShadow({ mode: 'closed' });
        root.innerHTML = '<button>Inside</button><input aria-label=Note>';
        root.querySelector('button').onclick = () => { out.value = 'pressed ' + root.querySelector('input').value; };
      }
    });
  </script>`);
  expect(await namesIn(tab)).toEqual(['Inside', 'Note']);
  expect(await tab.fill('Note', 'two')).toMatchObject({ ok: true });
  expect(await tab.click('Inside')).toMatchObject({ ok: true, fidelity: 'trusted' });
  await tab.waitForText('pressed two');
});

test('[BRG-126] masks a secret in a closed shadow root in a screenshot, even before the first scan', async () => {
  await using tab = await shown(`<my-login style="position:fixed;left:40px;top:40px"></my-login><script>
    const root = document.querySelector('my-login').attachShadow({ mode: 'closed' });
    root.innerHTML = '<input type=password value="correct horse" style="width:200px;height:40px;border:0;padding:0">';
  </script>`);
  const picture = await tab.host.picture?.({ format: 'png' });
  const pixels = decodePng(Buffer.from(picture?.image ?? '', 'base64'));
  expect(pixels.coloursIn({ left: 42, top: 42, width: 190, height: 30 })).toEqual(['0,0,0']);
});

test('finds closed roots without listeners, nested, in plain elements and in frames', async () => {
  await using tab = await shown(`<div id=plain></div><my-outer></my-outer><script>
    plain.attachShadow({ mode: 'closed' }).innerHTML = '<a href=/x>Plain</a>';
    const outer = document.querySelector('my-outer').attachShadow({ mode: 'closed' });
    outer.innerHTML = '<a href=/y>Outer</a><my-inner></my-inner>';
    outer.querySelector('my-inner').attachShadow({ mode: 'closed' }).innerHTML = '<a href=/z>Inner</a>';
  </script><iframe srcdoc="<my-frame></my-frame><script>
    document.querySelector('my-frame').attachShadow({ mode: 'closed' }).innerHTML = '<a href=/f>Framed</a>';
  </script>"></iframe>`);
  for (const name of ['Plain', 'Outer', 'Inner', 'Framed'])
    for (let seen = false; !seen; ) seen = (await namesIn(tab)).includes(name);
  expect(await namesIn(tab)).toEqual(['Plain', 'Outer', 'Inner', 'Framed']);
});

test('keeps the listeners of a frame of another site apart', async () => {
  await using inner = await startSite((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<div id=a>Foreign</div><script>a.addEventListener("click", () => { a.textContent = "Heard" })</script>',
      );
  });
  await using tab = await shown(
    `<p>Page</p><iframe src="${inner.url.replace('127.0.0.1', 'localhost')}"></iframe>`,
  );
  while (!(await namesIn(tab)).includes('Foreign'));
  expect(await clickRouted(tab, 'Foreign')).toMatchObject({ ok: true });
  await tab.waitForText('Heard');
});
