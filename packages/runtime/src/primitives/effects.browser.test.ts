import { isDeep, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EffectHarness, startEffectHarness } from '../../test/effects/effect-harness.ts';
import { INVISIBLE, type PressCase, RESTLESS, VISIBLE } from '../../test/effects/press-cases.ts';

/** `npm run deep` presses on every page, alone and beside things that never rest. */
const BESIDE = ['clock', 'spinner', 'ticker'];

let harness: EffectHarness;
beforeAll(async () => {
  harness = await startEffectHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

interface Press {
  readonly subject: PressCase;
  readonly beside?: string;
}

const alone = (subjects: readonly PressCase[]): Press[] =>
  sampled(subjects, 8).map((subject) => ({ subject }));
const beside = (subjects: readonly PressCase[]): Press[] =>
  isDeep ? subjects.flatMap((subject) => BESIDE.map((name) => ({ subject, beside: name }))) : [];

/** The false statements about these presses. */
async function falseStatements(presses: readonly Press[], happens: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { subject, beside: name } of presses) {
    const { effect, verification_message } = await harness.press(subject, name && RESTLESS[name]);
    const said = JSON.stringify([effect, verification_message]);
    const isTrue = effect.happened === happens && (subject.says?.test(said) ?? true);
    if (!isTrue) found.push(`${subject.name}, beside ${name ?? 'nothing'}: ${said}`);
  }
  return found;
}

/** `npm run deep` presses more than a thousand times, a third of a second each. */
const LONG = { timeout: isDeep ? 1_200_000 : 60_000 };

test('[INT-248] names every visible change after a press', LONG, async () => {
  expect(await falseStatements([...alone(VISIBLE), ...beside(VISIBLE)], true)).toEqual([]);
});

test('[INT-248] claims no change after a press that does nothing', LONG, async () => {
  expect(await falseStatements([...alone(INVISIBLE), ...beside(INVISIBLE)], false)).toEqual([]);
});

test('[INT-298] names what changes by itself, and neither waits for it nor takes it for the effect', async () => {
  const [dead, counter] = [INVISIBLE[0], VISIBLE[0]];
  if (dead === undefined || counter === undefined) throw new Error('There are no cases.');
  const all = sampled(Object.keys(RESTLESS), 2);
  expect(
    await falseStatements(
      all.map((name) => ({ subject: dead, beside: name })),
      false,
    ),
  ).toEqual([]);
  expect(
    await falseStatements(
      all.map((name) => ({ subject: counter, beside: name })),
      true,
    ),
  ).toEqual([]);
  const { effect } = await harness.press(dead, RESTLESS['frame loop']);
  expect(effect).toMatchObject({
    settled: 'stable',
    background: [expect.stringContaining('transform')],
  });
});

test('[INT-298] reports what an act changes in a part that is drawn again and again with the same content', async () => {
  const html = `<button onclick="more = '<p>Copy</p>'; draw()">Go</button><div id=root></div><script>
    let [more, n] = ['', 0];
    const draw = () => { root.innerHTML = '<p id=p' + n++ + '>Menu</p>' + more; };
    draw();</script>`;
  const { effect } = await harness.press(
    { name: 'drawn again', html },
    '<script>setInterval(draw, 40)</script>',
  );
  expect(effect).toMatchObject({ happened: true, seen: ['new: Copy'], settled: 'stable' });
});

test('[INT-299] names a page that goes on changing because of the press', async () => {
  const endless = `<button onclick="setInterval(() => p.append('.'), 5)">Go</button><p id=p></p>`;
  const { effect } = await harness.press({ name: 'endless', html: endless });
  expect(effect).toMatchObject({ happened: true, settled: 'timeout: still mutating' });
});

test('[INT-248] reports focus and hover styles of the target as focus only', async () => {
  const html = `<style>button:hover { background: gold } button:focus { outline: 4px solid red }</style>
    <button>Go</button>`;
  const { effect } = await harness.press({ name: 'styles', html });
  expect(effect).toMatchObject({ happened: false, focus_only: true });
});

test('[INT-248] reports a menu that opens under the pointer', async () => {
  await harness.open(`<style>ul { display: none } li:hover > ul { display: block }</style>
    <ul style="display: block"><li><button>Go</button><ul><li>Prices</ul></ul>`);
  expect(await harness.run('element.hover', { id: await harness.idOf('Go') })).toMatchObject({
    effect: { happened: true, seen: ['new: Prices'] },
  });
});

test('[INT-297] parts that are drawn again and only listened for keep their ids, and are not gone', async () => {
  await harness.open(`<style>.tab { display: inline-block; width: 80px }</style><div id=tabs></div><script>
    const names = ['Ash', 'Birch', 'Cedar'];
    const draw = () => {
      tabs.innerHTML = '';
      for (const name of names) {
        const tab = tabs.appendChild(document.createElement('div'));
        tab.className = 'tab';
        tab.textContent = name;
        tab.addEventListener('click', () => { names.splice(names.indexOf(name), 1); draw(); });
      }
    };
    draw();</script>`);
  const [birch, cedar] = [await harness.idOf('Birch'), await harness.idOf('Cedar')];
  expect(await harness.run('element.click', { id: birch })).toMatchObject({
    effect: { removed: [{ i: birch }] },
  });
  expect(await harness.run('element.click', { id: cedar })).toMatchObject({
    id: cedar,
    effect: { happened: true },
  });
});

test('[INT-248] waits for the tip of a resting pointer', async () => {
  await harness.open(`<button onpointerover="setTimeout(() => { p.textContent = 'Ships in May' }, 400)">Go</button>
    <p id=p></p>`);
  expect(await harness.run('element.hover', { id: await harness.idOf('Go') })).toMatchObject({
    effect: { happened: true, seen: [expect.stringContaining('Ships in May')] },
  });
});

test('[INT-298] a drawing that a wheel changes does not change by itself', async () => {
  await harness.open(`<canvas width=200 height=200></canvas><script>
    const canvas = document.querySelector('canvas');
    let size = 20;
    canvas.onwheel = () => { size += 20; canvas.getContext('2d').fillRect(0, 0, size, size); };
    canvas.onwheel();</script>`);
  const acted = await harness.run('element.wheel', { at: [90, 90], by: [0, -100] });
  expect(acted).toMatchObject({ effect: { happened: true, seen: [expect.stringContaining('drawing')] } });
});

test('[INT-248] reports redrawn rows neither as gone nor as a success', async () => {
  const html = `<div id=list></div><script>
    const names = ['Done', 'Draft', 'Paid'];
    const draw = () => {
      list.innerHTML = '<section>' + names.map((name) =>
        '<div><b>' + name + '</b> <i>' + name.length + ' kB</i></div>').join('') + '</section>';
    };
    draw();</script><button onclick="names.splice(1, 1); draw()">Go</button>`;
  const { effect } = await harness.press({ name: 'drawn again', html });
  expect(effect).toMatchObject({
    happened: true,
    seen: ['gone: Draft', 'gone: 5 kB'],
    successes: [],
    messages: [],
  });
});

test('[BRG-197] a wait finds a message that came and went since the last answer, or tells it', async () => {
  const html = `<button onclick="setTimeout(show, 900)">Go</button><script>
    const show = () => {
      const toast = document.createElement('div');
      toast.textContent = 'Pairing code: 7K-29Q';
      document.body.append(toast);
      setTimeout(() => { toast.remove(); document.body.append(document.createElement('hr')); }, 60);
    };</script>`;
  const shown = async () => {
    await harness.press({ name: 'toast', html });
    await harness.run('locator.wait_for', { locator: { selector: 'hr' }, timeout_ms: 20_000 });
  };
  await shown();
  const found = { for: 'text', text: 'code: 7K', timeout_ms: 60 };
  expect(await harness.run('page.wait', found)).toMatchObject({
    gone: true,
    late: { messages: ['Pairing code: 7K-29Q'] },
  });
  await expect(harness.run('page.wait', found)).rejects.toMatchObject({ code: 'handler_timeout' });
  await shown();
  await expect(harness.run('page.wait', { ...found, text: 'never' })).rejects.toMatchObject({
    evidence: { late: { messages: ['Pairing code: 7K-29Q'] } },
  });
});

test('[INT-253] a given quiet time counts from the call', async () => {
  await harness.open('<button>Go</button>');
  await harness.run('locator.wait_for', { locator: { role: 'button' } });
  expect(await harness.run('page.wait', { for: 'stable', quiet_ms: 300 })).toMatchObject({
    elapsed_ms: expect.toSatisfy((ms: number) => ms >= 300),
  });
});

test('[INT-248] never names the value of a secret field', async () => {
  const html = `<button onclick="f.value='hunter2';p.textContent='It is hunter2'">Go</button>
    <input type=password id=f aria-label=Password value=old-one><p id=p>Nothing</p>`;
  const acted = await harness.press({ name: 'secret', html });
  expect(JSON.stringify(acted)).not.toMatch(/hunter2|old-one/);
  expect(acted.effect.happened).toBe(true);
});

/** Holds a picture of another origin, so that page code cannot read it. */
const tainted = (script: string) => `<canvas role=button aria-label=Go width=90 height=90></canvas><script>
  const canvas = document.querySelector('canvas');
  const context = canvas.getContext('2d');
  const draw = (colour) => { context.fillStyle = colour; context.fillRect(9, 9, 40, 40); };
  const other = new Image();
  other.src = 'http://localhost:' + location.port + '/picture';
  other.onload = () => { context.drawImage(other, 60, 60); ${script} document.title = 'ready'; };
  </script>`;

test('[INT-331] sees a drawing that page code cannot read change, in a picture', async () => {
  const changes = { name: 'tainted', html: tainted(`canvas.onclick = () => draw('red');`), title: 'ready' };
  const { effect, verification_passed } = await harness.press(changes);
  expect({ effect, verification_passed }).toMatchObject({
    effect: { happened: true, seen: ['the drawing changed'] },
    verification_passed: true,
  });
  expect(effect).not.toHaveProperty('drawing');
});

test('[INT-331] says that such a drawing did not change', async () => {
  const same = { name: 'tainted', html: tainted('canvas.onclick = () => {};'), title: 'ready' };
  const { effect, verification_message } = await harness.press(same);
  expect(effect).toMatchObject({ happened: false });
  expect(effect).not.toHaveProperty('drawing');
  expect(verification_message).not.toContain('not observed');
});

test('[INT-331] does not claim to have seen what a moving drawing did', async () => {
  const moves = `let n = 0; (function step() { draw('hsl(' + n++ * 9 + ' 90% 50%)'); requestAnimationFrame(step); })();`;
  const { effect } = await harness.press({ name: 'moving', html: tainted(moves), title: 'ready' });
  expect(effect).toMatchObject({ happened: false, drawing: 'not observed' });
});

test.each([
  ['the pressed one', '<canvas role=button aria-label=Go id=go width=90 height=90></canvas>'],
  ['one beside it', '<p><button id=go>Go</button></p><canvas width=90 height=90></canvas>'],
])('[INT-331] sees a WebGL drawing change: %s', async (_, parts) => {
  const html = `${parts}<script>
    const gl = document.querySelector('canvas').getContext('webgl');
    const paint = (red) => { gl.clearColor(red, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
    paint(0); go.onclick = () => paint(1); document.title = 'ready';</script>`;
  const { effect } = await harness.press({ name: 'WebGL', html, title: 'ready' });
  expect(effect).toMatchObject({ happened: true });
});

test('[INT-329] gives a new element with nothing but a listener an id in the effect, and presses it', async () => {
  const html = `<button onclick="list.append(row('Second'))">Go</button><div id=list></div><p id=out></p><script>
    const row = (name) => {
      const made = document.createElement('span');
      made.textContent = 'Open ' + name;
      made.addEventListener('click', () => { out.textContent = 'Opened ' + name; });
      return made;
    };
    list.append(row('First'));</script>`;
  const { effect } = await harness.press({ name: 'listener only', html });
  expect(effect).toMatchObject({ added: [{ i: expect.any(String), n: 'Open Second' }], removed: [] });
  const id = String(effect.added[0]?.['i']);
  expect(await harness.run('element.click', { id })).toMatchObject({
    effect: { happened: true, seen: ['new: Opened Second'] },
  });
});

test('[INT-329] takes no listener that it only learns of for a change', async () => {
  const html = `<button>Go</button><span id=late>Later</span><script>
    addEventListener('mousedown', () => late.addEventListener('click', () => {}));</script>`;
  const { effect } = await harness.press({ name: 'late listener', html });
  expect(effect).toMatchObject({ happened: false, added: [] });
});

test.each(['click', 'double_click'])(
  '[BRG-204] [INT-248] a %s that opens a tab, seen by the browser alone, passes',
  async (action) => {
    await harness.open(`<button onclick="self.opened ??= window.open('/other')">Go</button>`);
    const acted = await harness.run(`element.${action}`, { id: await harness.idOf('Go') });
    expect(acted).toMatchObject({
      ...{ effect: { happened: true, opens_tab: true }, verification_passed: true },
      verification_message: `${action}: a new tab opened`,
    });
    expect(acted).not.toHaveProperty('unseen');
  },
);

test('[INT-331] sees that one of two drawings changed', async () => {
  const html = `<div role=button aria-label=Go id=d><canvas width=90 height=90></canvas><canvas id=c width=90 height=90></canvas></div>
    <script>const g = c.getContext('webgl'); d.onclick = () => { g.clearColor(1, 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT); };</script>`;
  const { effect } = await harness.press({ name: 'two drawings', html });
  expect(effect).toMatchObject({ happened: true, seen: ['the drawing changed'] });
});
