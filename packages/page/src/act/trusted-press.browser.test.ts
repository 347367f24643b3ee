import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';
import type { PreparedPress } from '../index.ts';

const TWO = `<button onclick="out.value='Buy ' + event.isTrusted">Buy</button><p></p><button onclick="out.value='Other'">Other</button><output id=out></output>`;

async function prepared(html: string) {
  const actions = await actionsOn(html);
  const press = await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'));
  if (!press.ok) throw new Error(press.error.message);
  const confirm = () => actions.run((token) => actionsKit.actions.confirm(token), press.token);
  return { ...actions, press, confirm };
}

async function pressAt(
  actions: { page: { mouse: { click(x: number, y: number): Promise<void> } } },
  { point }: PreparedPress,
) {
  await actions.page.mouse.click(point.x, point.y);
}

test('returns the point, lets the host press, and confirms', async () => {
  await using actions = await prepared(TWO);
  await pressAt(actions, actions.press);
  expect(await actions.confirm()).toMatchObject({ ok: true, fidelity: 'trusted', verification_passed: true });
  expect(await actions.text('#out')).toBe('Buy true');
});

test('[INT-212] stops a press that would reach another element', async () => {
  await using actions = await prepared(TWO);
  await actions.run(() =>
    document.body.insertAdjacentHTML(
      'beforeend',
      `<button style="position:fixed;inset:0" onclick="out.value='cover'">Cookies</button>`,
    ),
  );
  await pressAt(actions, actions.press);
  expect(await actions.confirm()).toMatchObject({
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'covered', cover: "btn 'Cookies'" } },
  });
  expect(await actions.text('#out')).toBe('');
});

test('[INT-212] stops a press that the page keeps from being compared', async () => {
  await using actions = await prepared(TWO);
  await actions.run(() => {
    const { getAttribute, matches } = Element.prototype;
    const refuse = () => {
      throw new TypeError('The page refuses.');
    };
    Object.assign(Element.prototype, { getAttribute: refuse, matches: refuse });
    Reflect.set(window, 'restore', () => Object.assign(Element.prototype, { getAttribute, matches }));
  });
  await pressAt(actions, actions.press);
  await actions.run(() => void Reflect.get(window, 'restore')());
  expect(await actions.confirm()).toMatchObject({ ok: false, error: { code: 'state_mismatch' } });
  expect(await actions.text('#out')).toBe('');
});

const COVERED_WHEN_TALL = `<style>@media (min-height: 300px) { #cover { position: fixed; inset: 0 } }</style>
<button>First</button><p style="height:400px"></p><button>Buy</button><div id=cover></div>`;

test('reads the size of the window at each press', async () => {
  await using actions = await actionsOn(COVERED_WHEN_TALL);
  const size = actions.page.viewportSize();
  if (size === null) throw new Error('The page has no size.');
  await actions.run(() => actionsKit.actions.scroll());
  const prepare = () => actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'));
  expect(await prepare()).toMatchObject({ ok: false, error: { evidence: { reason: 'covered' } } });
  await actions.page.setViewportSize({ ...size, height: 200 });
  const press = await prepare();
  await actions.page.setViewportSize(size);
  if (!press.ok) throw new Error(press.error.message);
  expect(press.point.y).toBeLessThan(200);
});

const PRESSED = `onclick="out.value='pressed'"`;
const OUT = '<output id=out></output>';

test.each([
  ['its words', `<button ${PRESSED} id=x>Buy</button>`, `x.textContent = 'Cancel'`],
  ['its label', `<button ${PRESSED} id=x aria-label=Buy>+</button>`, `x.ariaLabel = 'Cancel'`],
  ['its title', `<button ${PRESSED} id=x title=Buy></button>`, `x.title = 'Cancel'`],
  ['its picture', `<button ${PRESSED}><img id=x alt=Buy></button>`, `x.alt = 'Cancel'`],
  ['its value', `<input type=button ${PRESSED} id=x value=Buy>`, `x.value = 'Cancel'`],
  [
    'the words that label it',
    `<b id=x>Buy</b><button ${PRESSED} aria-labelledby=x>+</button>`,
    `x.textContent = 'Cancel'`,
  ],
  [
    'which words label it',
    `<b id=y>Buy</b><b id=z>Cancel</b><button ${PRESSED} id=x aria-labelledby=y>+</button>`,
    `x.setAttribute('aria-labelledby', 'z')`,
  ],
  ['its role', `<button ${PRESSED} id=x>Buy</button>`, `x.role = 'switch'`],
  ['its row', `<ul><li><b id=x>Lamp</b> <button ${PRESSED}>Buy</button></ul>`, `x.textContent = 'Chair'`],
  [
    'what is in a shadow root',
    `<x-a></x-a>`,
    `document.querySelector('x-a').shadowRoot.querySelector('button').textContent = 'Cancel'`,
    `document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<button>Buy</button>';
      document.querySelector('x-a').shadowRoot.firstChild.onclick = () => { out.value = 'pressed'; }`,
  ],
])('[INT-212] a press on what is another by then is stopped: %s', async (_, html, script, first = '') => {
  await using actions = await prepared(`${html}${OUT}<script>${first}</script>`);
  await actions.page.evaluate(script);
  await pressAt(actions, actions.press);
  expect(await actions.confirm()).toMatchObject({ ok: false });
  expect(await actions.text('#out')).toBe('');
});

test('[INT-212] guards a press in a reopened document', async () => {
  await using actions = await prepared(TWO);
  await actions.confirm();
  await actions.run((html) => {
    document.open();
    document.write(html);
    document.close();
  }, TWO);
  await actions.see();
  const press = await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'));
  if (!press.ok) throw new Error(press.error.message);
  await actions.run(() => document.querySelector('button')?.replaceChildren('Cancel'));
  await pressAt(actions, press);
  expect(await actions.run((token) => actionsKit.actions.confirm(token), press.token)).toMatchObject({
    ok: false,
  });
  expect(await actions.text('#out')).toBe('');
});

test('observes the page before a press that comes early', async () => {
  await using actions = await actionsOn(
    `<button onpointerdown="this.insertAdjacentHTML('afterend', '<button>Undo</button>')">Buy</button>`,
  );
  const press = await actions.run(async (id) => {
    const { setTimeout } = window;
    Object.assign(window, { setTimeout: () => 0 });
    const prepared = await actionsKit.actions.preparePress(id);
    Object.assign(window, { setTimeout });
    return prepared;
  }, actions.idOf('Buy'));
  if (!press.ok) throw new Error(press.error.message);
  await pressAt(actions, press);
  expect(await actions.run((token) => actionsKit.actions.confirm(token), press.token)).toMatchObject({
    ok: true,
    effect: { added: [{ n: 'Undo' }] },
  });
});

test('[INT-212] does not press an element whose name changed since the snapshot', async () => {
  await using actions = await actionsOn(TWO);
  await actions.done('click', 'Other');
  await actions.run(() => document.querySelector('button')?.replaceChildren('Cancel'));
  expect(await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'))).toMatchObject({
    ok: false,
    error: { evidence: { reason: 'changed_identity' } },
  });
});

test('lets later input through after a press was confirmed', async () => {
  await using actions = await prepared(TWO);
  await pressAt(actions, actions.press);
  await actions.confirm();
  await actions.page.getByRole('button', { name: 'Other' }).click();
  expect(await actions.text('#out')).toBe('Other');
});

test('reports a press that never came', async () => {
  await using actions = await prepared(TWO);
  expect(await actions.confirm()).toMatchObject({
    ok: false,
    error: { code: 'handler_failed', evidence: { reason: 'not_pressed' } },
  });
  expect(await actions.confirm()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});

test('returns a point in a frame in page coordinates', async () => {
  await using actions = await actionsOn(
    `<p style="height:100px"></p><iframe style="margin-left:200px" srcdoc="<button onclick=&quot;this.textContent='Bought'&quot;>Buy</button>"></iframe>`,
  );
  await actions.page.frameLocator('iframe').getByRole('button').waitFor();
  await actions.see();
  const press = await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'));
  if (!press.ok) throw new Error(press.error.message);
  await pressAt(actions, press);
  expect(await actions.run((token) => actionsKit.actions.confirm(token), press.token)).toMatchObject({
    ok: true,
  });
  expect(await actions.page.frameLocator('iframe').getByRole('button').textContent()).toBe('Bought');
});

test('clicks through a host that presses', async () => {
  await using actions = await actionsOn(TWO, () => ({
    press: ({ x, y }) => {
      // Replaces the host: only a browser makes trusted events, so this one never reaches the guard.
      document.elementFromPoint(x, y)?.setAttribute('data-pressed', 'yes');
      return Promise.resolve();
    },
  }));
  expect(await actions.refused('click', 'Buy')).toMatchObject({ evidence: { reason: 'not_pressed' } });
  expect(await actions.page.locator('[data-pressed]').textContent()).toBe('Buy');
});

test('refuses a disabled button before anything is pressed', async () => {
  await using actions = await actionsOn(`<button disabled>Buy</button>`);
  const refused = await actions.run((id) => actionsKit.actions.preparePress(id), actions.idOf('Buy'));
  expect(refused).toMatchObject({ ok: false, error: { evidence: { reason: 'disabled' } } });
});
