import { createCommitMatcher } from '@drawbridge/protocol/wording';
import { expect, test } from 'vitest';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { idOf, openTabs, pointOn } from '../../test/primitives/primitive-harness.ts';
import { effectOfPress, readElementContext } from '../grants/element-context.ts';

const tabs = openTabs();

const PAGE = `
<nav><button>Menu</button><a href="/help">Help pages</a></nav>
<form id="login">
  <label>Password <input id="pw" type="password"></label>
  <button>Sign in</button><button type="button">Continue</button><button type="reset">Start over</button>
  <a href="/forgot">Forgot it</a><a href="#" id="hash">Go on</a>
  <details><summary>Details</summary></details><div role="tab" tabindex="0">Second tab</div>
  <label><input type="checkbox"> Stay here</label>
  <select aria-label="Country"><option>Chad<option>Peru</select>
</form>
<form id="search"><input id="q" aria-label="Query"><button>Search</button></form>
<form id="note"><textarea aria-label="Note"></textarea><button>Send note</button></form>
<form id="auto"><select aria-label="Bulk"><option>Nothing</option><option value="d">Delete all</option></select></form>
<form id="inline"><select aria-label="Order" onchange="this.form.submit()"><option>Old</select><button>Apply</button></form>
<textarea aria-label="Chat"></textarea><div contenteditable aria-label="Editor"><p id="line">x</p></div>
<label for="far">Outside</label><button id="far" form="login">Over here</button>
<div id="shadowed"></div>
<iframe id="same" srcdoc="<form><input type=password><button style='width:90px;height:40px'>Inner go</button></form>"></iframe>
<main><p>Far away</p><section><div><div><div><div><div><div><button>Like</button></div></div></div></div></div></div></section></main>`;

const CARD = `<div id="pay"><label>Card number <input autocomplete="cc-number"></label><div role="button" tabindex="0">Go on</div></div><button>Anything</button>`;

async function contextsIn(html = PAGE) {
  const harness = await drivenHarness(await tabs.show(html));
  const ask = (subject: object) => harness.host.callPage('act.element_context', [subject]);
  const of = async (name: string, how: object = {}) => ask({ id: await idOf(harness, name), ...how });
  const at = (selector: string, by: string) => ask({ locator: { selector }, by });
  return { harness, ask, of, at };
}

test("reports what a button sends, whether that is sensitive, and its page's origin", async () => {
  const { of, at } = await contextsIn();
  const origin = 'https://page.test';
  expect(await of('Sign in')).toEqual({
    label: 'Sign in',
    words: ['Sign in'],
    submits: true,
    sensitive: true,
    secret: false,
    sends: 'maybe',
    origin,
  });
  expect(await of('Search')).toMatchObject({ label: 'Search', submits: true, sensitive: false });
  expect(await at('label[for=far]', 'press')).toMatchObject({ submits: true, sensitive: true });
});

test('[BRG-128] treats every press in a form with a secret as sending, except on its fields', async () => {
  const { of, at } = await contextsIn();
  for (const name of ['Continue', 'Go on', 'Start over', 'Forgot it', 'Stay here', 'Details', 'Second tab'])
    expect(await of(name)).toMatchObject({ submits: true, sensitive: true });
  expect(await at('#pw', 'press')).toMatchObject({ secret: true, sends: 'never' });
  for (const by of ['press', 'choose'])
    expect(await at('#login select', by)).toMatchObject({ sends: 'never' });
});

test('does not count controls elsewhere on the page as sending the form', async () => {
  const { of } = await contextsIn();
  for (const name of ['Menu', 'Help pages', 'Like'])
    expect(await of(name)).toMatchObject({ submits: false, sensitive: false });
});

test('counts a control beside a card number as sending it when there is no form', async () => {
  const { of } = await contextsIn(CARD);
  expect(await of('Go on')).toMatchObject({ submits: true, sensitive: true });
  expect(await of('Anything')).toMatchObject({ submits: true, sensitive: true });
});

test.each([
  ['comes', () => document.body.insertAdjacentHTML('beforeend', '<input type="password">')],
  ['is made of a field', () => document.querySelector('#x')?.setAttribute('autocomplete', 'cc-number')],
])('[BRG-128] a secret that %s after a press was classified counts for the next', async (_, change) => {
  const { of, harness } = await contextsIn('<button>Go on</button><input id="x" aria-label="Number">');
  expect(await of('Go on')).toMatchObject({ sensitive: false });
  expect(await of('Go on')).toMatchObject({ sensitive: false });
  await harness.tab.evaluate(change);
  expect(await of('Go on')).toMatchObject({ submits: true, sensitive: true });
});

test("[BRG-128] treats Enter in a field as a press on its form's button", async () => {
  const { at } = await contextsIn();
  expect(await at('#q', 'enter')).toMatchObject({ label: 'Query → Search', submits: true, sensitive: false });
  expect(await at('#note textarea', 'lines')).toMatchObject({ label: 'Note → Send note', sends: 'maybe' });
  expect(await at('#pw', 'enter')).toMatchObject({ submits: true, sensitive: true, sends: 'maybe' });
  for (const by of ['space', 'keys', 'write']) expect(await at('#pw', by)).toMatchObject({ sends: 'never' });
});

test('[BRG-128] treats Enter in an editor without a form as sending, but not lines typed into a rich editor', async () => {
  const { at } = await contextsIn();
  expect(await at('body > textarea', 'enter')).toMatchObject({ sends: 'surely' });
  expect(await at('body > textarea', 'lines')).toMatchObject({ sends: 'surely' });
  expect(await at('#line', 'enter')).toMatchObject({ label: 'Editor', sends: 'surely' });
  expect(await at('#line', 'lines')).toMatchObject({ sends: 'never' });
});

test('[BRG-128] treats a choice as sending a form that has no button or listens for changes', async () => {
  const { of } = await contextsIn();
  const bulk = { label: 'Bulk → Delete all', submits: true, sends: 'maybe' };
  for (const choice of [{ value: 'd' }, { index: 1 }, { label: 'Delete all' }])
    expect(await of('Bulk', { by: 'choose', choice })).toMatchObject(bulk);
  expect(await of('Order', { by: 'keys' })).toMatchObject({ submits: true, sends: 'maybe' });
});

test('[BRG-128] treats choosing files as sending, unless a form waits for its button', async () => {
  const { of } = await contextsIn(
    '<input type="file" aria-label="Loose"><form><input type="file" aria-label="Kept"><button>Go</button></form>',
  );
  expect(await of('Loose', { by: 'upload' })).toMatchObject({ sends: 'surely' });
  expect(await of('Kept', { by: 'upload' })).toMatchObject({ sends: 'maybe', submits: false });
});

test('answers for a point and for the focus, through shadow roots and same-origin frames', async () => {
  const { ask, harness } = await contextsIn();
  expect(await ask(await pointOn(harness, '#login button'))).toMatchObject({
    label: 'Sign in',
    submits: true,
  });
  await harness.run('dom.focus', { locator: { selector: '#q' } });
  expect(await ask({ focused: true, by: 'enter' })).toMatchObject({ label: 'Query → Search' });

  await harness.tab.locator('#same').scrollIntoViewIfNeeded();
  const box = await harness.tab.frameLocator('#same').getByText('Inner go').boundingBox();
  const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 };
  expect(await ask(point)).toMatchObject({ label: 'Inner go', submits: true, sensitive: true });

  await harness.tab.evaluate(() => {
    const host = document.querySelector('#shadowed') ?? document.body;
    document.querySelector('#login')?.append(host);
    host.attachShadow({ mode: 'open' }).innerHTML = '<button type="button"><b>Deep</b></button>';
    host.scrollIntoView();
  });
  const deep = await harness.tab.getByText('Deep').boundingBox();
  const inside = { x: (deep?.x ?? 0) + 4, y: (deep?.y ?? 0) + 4 };
  expect(await ask(inside)).toMatchObject({ label: 'Deep', submits: true, sensitive: true });
});

test('[BRG-128] reports the strictest context and the place of a frame that page code cannot read', async () => {
  const frame = `<iframe style="border:0;position:absolute;left:50px;top:60px;width:200px;height:100px" sandbox srcdoc="x"></iframe>`;
  const { ask } = await contextsIn(frame);
  const worst = { submits: true, sensitive: true, secret: true, sends: 'surely' };
  expect(await ask({ x: 70, y: 80 })).toMatchObject({ ...worst, foreign: { x: 70, y: 80 } });
  expect(await ask({ locator: { selector: 'iframe' } })).toMatchObject({
    ...worst,
    foreign: { x: 150, y: 110 },
  });
});

test('heals a redrawn element, and claims nothing of a removed one', async () => {
  const { ask, harness } = await contextsIn();
  const id = await idOf(harness, 'Search');
  await harness.tab.evaluate(() => {
    const old = document.querySelector('#search button');
    old?.replaceWith(old.cloneNode(true));
  });
  expect(await ask({ id })).toMatchObject({ label: 'Search', submits: true });
  await harness.tab.evaluate(() => document.querySelector('#search')?.remove());
  expect(await ask({ id })).toBeNull();
});

const WORDS = `
<button aria-label="Next">Pay 500 EUR</button><button title="Pay now" aria-label="One">1</button>
<button aria-label="Two"><img alt="Pay now"></button><input type="submit" aria-label="Three" value="Pay now">
<style>#drawn::after { content: "Pay now" }</style><button id="drawn" aria-label="Four"></button>
<button><span id="inner" tabindex="0">Five</span> Pay now</button>
<main role="main" aria-label="Six"><div id="plain">Pay now</div><p>${'A long text. '.repeat(60)}</p></main>
<button aria-label="Seven"><svg width="9" height="9"><title>Pay now</title></svg></button>
<div onclick="1"><input id="field" aria-label="Eight"></div>`;

test('[BRG-128] reads every text of the pressed element, and labels it with its visible text', async () => {
  const { of, at } = await contextsIn(WORDS);
  expect(await of('Next')).toMatchObject({ label: 'Next · Pay 500 EUR', words: ['Next', 'Pay 500 EUR'] });
  const named = ['One', 'Two', 'Three', 'Four', 'Seven'].map((name) => of(name));
  const placed = ['#inner', '#plain'].map((selector) => at(selector, 'press'));
  const says = { words: expect.arrayContaining([expect.stringContaining('Pay now')]) };
  for (const answers of await Promise.all([...named, ...placed]))
    expect([answers].flat()).toContainEqual(expect.objectContaining(says));
  expect(await at('main', 'press')).toMatchObject({ words: ['Six'] });
  expect(await at('#field', 'press')).toMatchObject({ sends: 'maybe' });
});

const FORMS = `
<form id="post" method="post" action="/notes?x=1#y"><input name="b2"><input id="text" name="a"><button>Keep</button>
  <button id="get" formmethod="get">Look</button><button type="button" id="plain">Open</button></form>
<form id="both"><input name="q"><button id="sent" formmethod="POST" formaction="https://other.test/x">Go</button></form>
<form id="lone" method="post"><input id="only"></form>
<form id="two" method="post"><input id="first"><input></form>
<form id="clobber" method="post"><input name="method"><input name="action"><input name="elements"><button id="hidden">Go</button></form>
<form id="dialog" method="dialog"><button id="close">Close</button></form>
<form id="auto" method="post"><select id="list"><option>A<option>B</select></form>`;

test('[BRG-128] reports the form and receiver of a press that sends by POST', async () => {
  const { at } = await contextsIn(FORMS);
  const fields = ['["","",""]', '["a","",""]', '["b#","",""]'];
  const what = ['post', 'https://page.test/notes?x=1', ...fields].join('\n');
  const form = { to: 'https://page.test', what };
  expect(await at('#post button', 'press')).toMatchObject({ form });
  expect(await at('#text', 'enter')).toMatchObject({ form });
  expect(await at('#text', 'lines')).toMatchObject({ form });
  expect(await at('#sent', 'press')).toMatchObject({ form: { to: 'https://other.test' } });
  expect(await at('#list', 'choose')).toMatchObject({ form: { to: 'https://page.test' } });
  for (const selector of ['#only', '#hidden'])
    expect(await at(selector, selector === '#only' ? 'lines' : 'press')).toHaveProperty('form');
  const unsent = [
    ['#text', 'write'],
    ['#get', 'press'],
    ['#plain', 'press'],
    ['#first', 'enter'],
    ['#close', 'press'],
    ['#list', 'press'],
  ] as const;
  for (const [selector, by] of unsent) expect(await at(selector, by)).not.toHaveProperty('form');
});

test('[BRG-128] applies the structural rules without any words', async () => {
  const classify = (answer: unknown) => effectOfPress(readElementContext(answer), createCommitMatcher([]));
  const { of, at } = await contextsIn();
  const asked = [
    ...['Sign in', 'Continue', 'Forgot it', 'Second tab', 'Stay here'].map((name) => of(name)),
    at('#pw', 'enter'),
    at('#pw', 'lines'),
    at('body > textarea', 'enter'),
    at('label[for=far]', 'press'),
  ];
  for (const answer of await Promise.all(asked)) expect(classify(answer)).toBe('irreversible');
  expect(classify(await of('Send note'))).toBe('act');
  const frame = await contextsIn('<iframe sandbox srcdoc="x"></iframe>');
  expect(classify(await frame.at('iframe', 'press'))).toBe('irreversible');
  const card = await contextsIn(CARD);
  expect(classify(await card.of('Go on'))).toBe('irreversible');
  const files = await contextsIn('<input type="file" aria-label="Loose">');
  expect(classify(await files.of('Loose', { by: 'upload' }))).toBe('irreversible');
});
