import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { startSite } from '../site.ts';

const LABELS = [
  'Ｐａｙ',
  '𝐏𝐚𝐲',
  'Рay',
  'P\u200Bay',
  'PayNow',
  'Make payment',
  'Book now',
  'Sign document',
  'Betalen',
  '購入する',
  'Оплатить',
  'Zapłać',
  'Finalizar compra',
  'ادفع',
  'ᴘᴀʏ ɴᴏᴡ',
  '🅿🅰🆈 now',
  'Ödemeyi tamamla',
];

const BUTTONS = `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script>
<button aria-label="Next" onclick="harm()">Pay 500 EUR</button>
<button title="Pay now" onclick="harm()">1</button>
<button aria-label="More" onclick="harm()"><img alt="Pay now" width="9" height="9"></button>
<input type="button" aria-label="Go on" value="Pay now" onclick="harm()">
<style>#drawn::after { content: "Pay now" }</style><button id="drawn" aria-label="Open" onclick="harm()"></button>
<button onclick="harm()"><span tabindex="0" id="inner">Continue</span> and pay</button>
${LABELS.map((label) => `<button onclick="harm()">${label}</button>`).join('\n')}`;

/** Elements with listeners inside a form with a password. */
const INSIDE = ['[role=tab]', 'a', 'summary', '[type=reset]', '[role=option]', '[type=checkbox]'];
const LOGIN = `<title>calm</title><form><input type="password" aria-label="Password">
<div role="tab" tabindex="0">Second</div><a href="/next">Help</a><details><summary>More</summary></details>
<input type="reset" value="Clear"><div role="option" tabindex="0">One</div><input type="checkbox" aria-label="Stay">
<button>Go</button></form>
<script>for (const each of document.querySelectorAll('${INSIDE.join(', ')}'))
  each.addEventListener('click', (event) => { event.preventDefault(); document.title = 'harm' })</script>`;

const FORMS = `<title>calm</title>
<form method="post" action="/sent" id="note"><input name="note" id="in-note" aria-label="Note"><input type="hidden" name="localName"><input type="hidden" name="ownerDocument"><button id="keep">Keep</button></form>
<form method="post" action="/sent?lone" id="lone"><input name="lone" id="only" aria-label="Name"></form>
<form action="/sent?get" id="search"><input name="q" id="query" aria-label="Find"><button id="find">Find</button>
  <button id="over" formmethod="post">Keep these</button></form>
<form method="post" action="/sent?list" id="auto"><select id="list" aria-label="Colour"><option>Red<option>Blue</select></form>`;

/** Versions that submit to the same address with the same field names. */
const versionOf = ({ total = '', label = 'Note', account = 'shop', csrf = 'a1' }) =>
  `<title>calm</title><form method="post" action="/sent?version">${total}<input type="hidden" name="seller" value="${account}">
<input type="hidden" name="_wpnonce" value="${csrf}"><label>${label} <input name="note" id="written"></label><button id="keep">Keep</button></form>`;
const VERSIONS = {
  '/first': versionOf({}),
  '/next-token': versionOf({ csrf: 'b2' }),
  '/total': versionOf({ total: '<p>Total €90 to Ada</p>' }),
  '/other-total': versionOf({ total: '<p>Total €9000 to Mallory</p>' }),
  '/label': versionOf({ label: 'Name of the payee' }),
  '/hidden': versionOf({ account: 'mallory' }),
};
const LONG = `Show the details of the offer ${'that was made for you last week '.repeat(9)}`;

const PAINTED = `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script><style>div { position: relative }
.over { position: absolute; left: 0; top: 0; pointer-events: none }</style>
<div><button id="painted1" onclick="harm()" style="width:200px">More</button><span class="over" style="width:200px">Pay 500 now</span></div>
<button id="painted2" onclick="harm()">${[...'Pay now'].map((letter) => `<b style="float:left">${letter}</b>`).join('')}</button>
<button id="painted3" onclick="harm()"><bdo dir="rtl">won yaP</bdo></button>
<button id="painted4" onclick="harm()"><span style="unicode-bidi:bidi-override;direction:rtl">won yaP</span></button>
<svg width="0" height="0"><symbol id="drawing"><text y="10">Pay 500 now</text></symbol></svg>
<button id="painted5" aria-label="More" onclick="harm()"><svg width="90" height="20"><use href="#drawing"/></svg></button>
<input id="painted6" readonly placeholder="Pay 500 now" aria-label="More" onclick="harm()">
<textarea id="painted7" readonly aria-label="More" onclick="harm()">Pay 500 now</textarea>
<div><button id="plain" style="width:200px">Open</button> <span>Pay later</span></div>`;

const HARM = ' onclick="harm()"';
/** Labels that a program reads in another order, or not at all; each is one control. */
const DRAWN = [
  `<button${HARM} style="display:flex;flex-direction:row-reverse;gap:4px"><span>account</span><span>Delete</span></button>`,
  `<button${HARM} style="display:inline-flex;flex-direction:row-reverse"><b>y</b><b>a</b><b>P</b></button>`,
  `<button${HARM} style="display:inline-flex;flex-direction:column-reverse"><b>y</b><b>a</b><b>P</b></button>`,
  `<button${HARM} style="display:inline-flex"><b style="order:2">lete</b><b style="order:1">De</b></button>`,
  `<button${HARM} style="width:200px"><b style="float:right">now</b><b style="float:left">Pay</b></button>`,
  `<button${HARM} style="display:inline-grid"><b style="grid-area:1/2">te</b><b style="grid-area:1/1">Dele</b></button>`,
  `<button${HARM} style="position:relative;width:90px"><b style="position:absolute;left:30px">ete</b><b style="position:absolute;left:10px;width:20px;text-align:right">Del</b>&nbsp;</button>`,
  `<button${HARM}>De<br>lete</button>`,
  `<button${HARM}><div>Pu</div><div>blish</div></button>`,
  `<style>#half::before { content: "De" }</style><button id="half"${HARM}>lete</button>`,
  `<style>#far i b::after { content: "Pay now" }</style><button id="far" aria-label="Open"${HARM}><i><b></b></i></button>`,
  `<button aria-label="Open"${HARM}><span style="display:list-item;list-style:'Pay now' inside">&nbsp;</span></button>`,
  `<style>#mark::marker { content: "Pay now" }</style><details><summary id="mark"${HARM}>.</summary></details>`,
  `<button aria-description="Deletes nothing. Pay now"${HARM}>Fine</button>`,
  `<button data-tooltip="Delete forever"${HARM}>1</button>`,
  `<button${HARM}><i class="fa-solid fa-trash"></i></button>`,
  `<div${HARM} tabindex="0" class="icon-delete" style="width:20px;height:20px"></div>`,
  `<button${HARM}><svg width="9" height="9" class="lucide lucide-trash-2"><path d="M0 0h9v9"/></svg></button>`,
  `<button${HARM}><svg width="9" height="9"><use href="/sprite.svg#trash"/></svg></button>`,
  `<button${HARM}><svg width="9" height="9"><title>Delete</title></svg></button>`,
  `<button${HARM}><img src="/icons/trash.svg" width="9" height="9"></button>`,
  `<button${HARM} style="width:20px;height:20px;background:url(/icons/trash-can.svg)"></button>`,
  `<button${HARM}>🗑️</button>`,
  `<button${HARM}>💸</button>`,
  `<button${HARM}>💳 500 €</button>`,
  `<button${HARM}><i class="bi bi-credit-card"></i> 500</button>`,
  `<style>#marks::before { content: open-quote }</style><button id="marks" style='quotes: "Pay now" ""'${HARM}>.</button>`,
  `<style>@counter-style pay { system: cyclic; symbols: "Pay now" } #count::before { content: counter(x, pay) }</style><button id="count"${HARM}>.</button>`,
  `<button aria-label="Open"${HARM}><span style="display:list-item;list-style:pay inside">&nbsp;</span></button>`,
  `<div role="slider" aria-label="Open" aria-valuetext="Pay now" tabindex="0"${HARM} style="width:50px;height:20px"></div>`,
  `<button${HARM} style="width:1em;white-space:pre-line">P\na\ny\n\nn\no\nw</button>`,
  `<div style="position:relative"><b style="position:absolute;left:0">Pay now</b><button${HARM} style="position:relative;width:150px;opacity:0.1">More</button></div>`,
  `<select size="2" aria-label="Choice"><option${HARM}>Pay now</option></select>`,
  `<x-host role="group" aria-label="Details" style="display:block;width:300px;height:60px"></x-host><script>document.querySelector('x-host')
    .attachShadow({ mode: 'closed' }).innerHTML = '<button style="width:300px;height:60px" onclick="harm()">Pay now</button>'</script>`,
  `<button${HARM}>Pa<span style="position:absolute;opacity:0">zzz</span>y now</button>`,
  `<button${HARM}>D<span style="font-size:0">x</span>elete</button>`,
  `<button${HARM}>De<span style="position:absolute;clip-path:inset(50%)">x</span>lete</button>`,
  `<style>.two::before { content: "Del" } .two::after { content: "ete" }</style><button aria-label="More"${HARM}><i class="two"></i></button>`,
  `<div contenteditable tabindex="0" aria-label="More"${HARM}>Delete account</div>`,
  `<h3>Delete your account?</h3><p>It cannot be undone.</p><div><input type="button" value="No"> <button${HARM}>Yes</button></div>`,
  `Transfer 500 € to Bob? <button${HARM}>OK</button>`,
  `<p>Final step: your card is charged 90 €</p><button${HARM}>Continue</button>`,
  `<button aria-describedby="pays"${HARM}>Go</button> <i id="pays">Pays 100 € at once</i>`,
  ...['$9.99', '12 USD', '€ 49,99', 'Get it for $9.99', 'Join for $9', 'Unlock for 99 coins'].map(
    (label) => `<button${HARM}>${label}</button>`,
  ),
];
/** Controls like the ones above that commit nobody to anything. */
const CALM = [
  `<button style="display:flex;flex-direction:row-reverse;gap:4px"><span>cart</span><span>View</span></button>`,
  `<button aria-label="Remove item"><i class="fa fa-trash"></i></button>`,
  `<button><i class="fa fa-search"></i></button>`,
  `<button class="btn btn-primary icon-button"><svg width="9" height="9" class="lucide lucide-menu"></svg></button>`,
  `<button>🛒 2</button>`,
  `<button>Show<br>more</button>`,
  `<button>F A Q</button>`,
  `<select size="2" aria-label="Colour"><option>Red</option></select>`,
  `<a href="#bin">🗑 Deleted items</a>`,
  `<a href="#lamp">Arc lamp 49.00 €</a>`,
  `<button>Under $25</button>`,
  `<button>Cart (2) $20</button>`,
  `<button>Add to cart $20</button>`,
  `<button>$5</button><input type="button" value="$10">`,
  `<button aria-pressed="false">$20</button>`,
  `<p>Total 49.00 €</p><button>Continue</button>`,
  `<p>You won't be charged yet.</p><button>Continue</button>`,
  `<p>Delete old versions to make room.</p><button>Next</button>`,
];
const drawn = (controls: readonly string[]) =>
  `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script>${controls
    .map((each) => `<div class="one">${each}</div>`)
    .join('')}`;

const DIALOGS = `<title>calm</title><style>dialog { position: static }</style><script>const harm = () => { document.title = 'harm' }</script>
<dialog open><h2>Delete account?</h2><p>All of it goes.</p><button id="ask1" onclick="harm()">Yes</button><button id="leave1">No</button>
  <button id="leave2" aria-label="Close">×</button></dialog>
<div role="alertdialog" aria-label="Confirm payment"><button id="ask2" onclick="harm()">Continue</button><button id="leave3">Cancel</button></div>
<div role="dialog" aria-labelledby="head"><b id="head">Pay €500?</b><button id="ask3" onclick="harm()">✓</button><button id="leave4">Abbrechen</button></div>
<div aria-modal="true"><p>You will pay €500 to Ada.</p><div id="ask4" role="button" tabindex="0" onclick="harm()">Fine</div></div>
<fieldset><legend>Pay €500 now</legend><button id="ask5" onclick="harm()">Go</button></fieldset>
<button id="ask6" aria-describedby="more" onclick="harm()">Fine</button><p id="more">This will delete your account.</p>
<div role="dialog" aria-label="Send a message"><textarea aria-label="Text"></textarea><button id="leave5">Bold</button>
  <button role="tab" id="leave6">Preview</button><a id="leave7" href="#help">Help</a><button id="ask7" onclick="harm()">OK</button></div>`;

const FILLER = 'about what was agreed on last week '.repeat(30);
/** A verb in the middle of a text, a text too long to be read, and fields beside a button without a form. */
const HIDDEN_PLACES = `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script>
<button id="middle" onclick="harm()">${FILLER} pay 500 to Mallory ${FILLER}</button>
<button id="endless" onclick="harm()">${FILLER.repeat(5)}</button>
<div><p><input id="lone" aria-label="Text"></p><button onclick="harm()">Send message</button></div>
<div><input id="filter" aria-label="Filter"><button>Apply filter</button></div>
<script>lone.onkeydown = (event) => { if (event.key === 'Enter') harm(); }</script>`;

/** A page that repeats short secrets of forms that are not the button's. */
const COVERED = `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script>
<form><input type="password" aria-label="Password" value="delete"></form>
<form><input autocomplete="cc-csc" aria-label="CVC" value="407"></form>
<button id="covered" onclick="harm()">Delete account</button>
<button id="paying" onclick="harm()">Pay 407 EUR now with code 407, not 1407 nor deletes</button>
<form method="post" action="/sent?covered"><input name="amount" aria-label="Amount" value="407"><input name="note" aria-label="Note" value="for 407">
  <button id="keep">Keep</button></form>`;

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
let decision: 'once' | 'always' | 'deny' = 'deny';
const person = answeringPerson(() => decision);

beforeAll(async () => {
  site = await startSite({
    '/buttons': BUTTONS,
    '/login': LOGIN,
    '/forms': FORMS,
    '/dialogs': DIALOGS,
    '/painted': PAINTED,
    '/drawn': drawn(DRAWN),
    '/calm': drawn(CALM),
    '/places': HIDDEN_PLACES,
    '/slotted': `<title>calm</title><body style="margin:0"><x-pay><button id="next" style="font-size:0;width:200px;height:60px" onclick="document.title='pressed'">Next</button></x-pay>
      <script>customElements.define('x-pay', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML =
      '<slot></slot><span style="position:absolute;left:30px;top:20px;pointer-events:none">Pay now</span>' } })</script>`,
    '/closed': `<title>calm</title><body style="margin:0"><div id="host" style="width:200px;height:60px"></div>
      <script>const button = document.createElement('button'); button.textContent = 'Pay now';
      button.style.cssText = 'width:200px;height:60px'; button.onclick = () => { document.title = 'harm' };
      host.attachShadow({ mode: 'closed' }).append(button)</script>`,
    '/host': `<title>calm</title><body style="margin:0"><x-q id="host" role="button" tabindex="0" aria-label="More"
      onclick="document.title = 'harm'" style="display:block;width:200px;height:60px"></x-q>
      <script>host.attachShadow({ mode: 'closed' }).innerHTML = '${'Here is more. '.repeat(40)}Delete account'</script>`,
    '/covered': COVERED,
    ...VERSIONS,
    '/long': `<title>calm</title><button>${LONG} and pay 5000 to Mallory now</button><textarea aria-label="Chat"></textarea>`,
    '/options': `<title>calm</title><script>const harm = () => { document.title = 'harm' }</script>
      <select id="list" aria-label="Action" onchange="harm()"><option>Nothing<option>Delete account</select>
      <label><input type="radio" name="act" id="first" checked> Keep</label>
      <label><input type="radio" name="act" onchange="harm()"> Delete account</label>
      <input id="combo" role="combobox" aria-label="Command" aria-activedescendant="active" onkeydown="harm()">
      <div role="listbox"><div role="option" id="active">Delete repository</div></div>
      <select id="sizes" aria-label="Size"><option>Small<option>Large</select>
      <form method="post" action="/sent?letter"><textarea id="letter" name="letter" aria-label="Letter"></textarea><button id="post">Next</button></form>`,
    '/transfer': transfer({}),
    '/transfer-too': transfer({ action: '/sent?too' }),
    '/note': transfer({ fields: NOTE }),
    '/note-review': transfer({ fields: NOTE, heading: 'Total 940,00 € to Mallory' }),
    '/always': transfer({ fields: NOTE, action: '/sent?always' }),
    '/always-too': transfer({ fields: NOTE, action: '/sent?always-too' }),
    '/elsewhere': `${transfer({ fields: NOTE, action: '/sent?elsewhere' })}<script>
      const form = document.querySelector('form'); form.action = form.action.replace('127.0.0.1', 'localhost')</script>`,
    '/heading': transfer({ fields: NOTE, heading: 'Delete your account?', action: '/sent?heading' }),
    '/sent/del/account': transfer({ fields: NOTE, action: '' }),
    '/sent': '<title>sent</title>',
  });
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function idOf(selector: string): Promise<string> {
  const { id } = (await harness.call('locator.element_info', { locator: { selector } })) as { id: string };
  return id;
}

const title = async () => ((await harness.call('page.info')) as { title: string }).title;

/** Whether a person was asked exactly once, and refused. */
async function isAsked(name: string, args: object): Promise<boolean> {
  person.asked.length = 0;
  const error: unknown = await harness.call(name, args).then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  return (
    person.asked.length === 1 && error instanceof Error && Reflect.get(error, 'code') === 'permission_denied'
  );
}

test('[BRG-128] asks about every button that commits, however its words are hidden', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/buttons`);
  const unasked: string[] = [];
  for (let at = 0; at < 6 + LABELS.length; at++) {
    const selector = `:nth-child(${at + 1} of button, input)`;
    if (!(await isAsked('element.click', { id: await idOf(selector) }))) unasked.push(selector);
  }
  if (!(await isAsked('element.click', { id: await idOf('#inner') }))) unasked.push('#inner');
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
});

test('[BRG-128] asks where a mask covers a button’s word, and masks short secrets in questions but for amounts', async () => {
  decision = 'deny';
  // Secrets are carried to the next documents of their origin, which is another one here.
  await harness.goto(`${site.url.replace('127.0.0.1', 'localhost')}/covered`);
  await harness.call('page.snapshot');
  const askedFor = async (selector: string) => {
    expect([selector, await isAsked('element.click', { id: await idOf(selector) })]).toEqual([
      selector,
      true,
    ]);
    return person.asked[0];
  };
  expect((await askedFor('#covered'))?.sentence).toContain('“••• account”');
  expect((await askedFor('#paying'))?.sentence).toContain(
    '“Pay 407 EUR now with code •••, not 1407 nor deletes”',
  );
  expect((await askedFor('#keep'))?.sends).toEqual(['"Amount": "407"', '"Note": "for •••"']);
  expect(await title()).toBe('calm');
});

test("[BRG-128] asks about a button that confirms its dialog's question, not about one that leaves the dialog", async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/dialogs`);
  const unasked: number[] = [];
  for (let at = 1; at <= 7; at++)
    if (!(await isAsked('element.click', { id: await idOf(`#ask${at}`) }))) unasked.push(at);
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
  await isAsked('element.click', { id: await idOf('#ask1') });
  expect(person.asked[0]?.sentence).toContain('Yes · Delete account?');
  person.asked.length = 0;
  for (let at = 1; at <= 7; at++) await harness.call('element.click', { id: await idOf(`#leave${at}`) });
  expect(person.asked).toEqual([]);
});

test('[BRG-128] asks about words that are painted on a button and not in its text', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/painted`);
  const unasked: number[] = [];
  for (let at = 1; at <= 7; at++)
    if (!(await isAsked('element.click', { id: await idOf(`#painted${at}`) }))) unasked.push(at);
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
  person.asked.length = 0;
  await harness.call('element.click', { id: await idOf('#plain') });
  expect(person.asked).toEqual([]);
});

test('[BRG-128] reads a label in the order in which it is drawn, and icons that stand for words', async () => {
  decision = 'deny';
  const control = (at: number) =>
    idOf(`:nth-child(${at + 1} of .one) :is(button, summary, a, div[tabindex], select, x-host)`);
  await harness.goto(`${site.url}/drawn`);
  const unasked: string[] = [];
  for (const [at, html] of DRAWN.entries())
    if (!(await isAsked('element.click', { id: await control(at) }))) unasked.push(html);
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
  person.asked.length = 0;
  await harness.goto(`${site.url}/calm`);
  for (const at of CALM.keys()) await harness.call('element.click', { id: await control(at) });
  expect(person.asked).toEqual([]);
}, 60_000);

test('[BRG-128] asks about a verb in the middle of a text, an unread text, and Enter beside a heavy button', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/places`);
  const ways: [string, string, object][] = [
    ['#middle', 'element.click', {}],
    ['#endless', 'element.click', {}],
    ['#lone', 'element.keys', { keys: ['Enter'] }],
    ['#lone', 'element.type', { text: 'x\n' }],
  ];
  const unasked: string[] = [];
  for (const [selector, name, args] of ways)
    if (!(await isAsked(name, { id: await idOf(selector), ...args }))) unasked.push(`${name} ${selector}`);
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
  await isAsked('element.click', { id: await idOf('#middle') });
  expect(person.asked[0]?.sentence).toContain('pay 500 to Mallory');
  person.asked.length = 0;
  await harness.call('element.keys', { id: await idOf('#filter'), keys: ['Enter'] });
  expect(person.asked).toEqual([]);
}, 60_000);

test('[BRG-128] asks about an option that a key would choose', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/options`);
  const ways: [string, string][] = [
    ['#list', 'ArrowDown'],
    ['#first', 'ArrowRight'],
    ['#combo', 'Enter'],
  ];
  const unasked: string[] = [];
  for (const [selector, key] of ways)
    if (!(await isAsked('element.keys', { id: await idOf(selector), keys: [key] }))) unasked.push(selector);
  expect(unasked).toEqual([]);
  expect(await title()).toBe('calm');
  person.asked.length = 0;
  await harness.call('element.keys', { id: await idOf('#sizes'), keys: ['ArrowDown'] });
  expect(person.asked).toEqual([]);
});

test('[BRG-128] a question shows the end of a long text', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/options`);
  await harness.call('element.fill', {
    id: await idOf('#letter'),
    text: `${FILLER.repeat(9)} PS: wire 9999 €`,
  });
  expect(await isAsked('element.click', { id: await idOf('#post') })).toBe(true);
  expect(person.asked[0]?.sends?.join()).toContain('PS: wire 9999 €"');
});

test('[BRG-128] asks about every press in a form with a password', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/login`);
  const unasked: string[] = [];
  for (const selector of INSIDE)
    if (!(await isAsked('element.click', { id: await idOf(selector) }))) unasked.push(selector);
  expect(unasked).toEqual([]);
  await harness.call('element.type', { id: await idOf('[type=password]'), text: 'abc' });
  expect(await title()).toBe('calm');
});

test('[BRG-128] asks about every native way to submit a form by POST, including a typed newline', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/forms`);
  const ways: [string, string, object][] = [
    ['#keep', 'element.click', {}],
    ['#in-note', 'element.keys', { keys: ['Enter'] }],
    ['#in-note', 'element.type', { text: 'x\n' }],
    ['#only', 'element.type', { text: 'x\n' }],
    ['#only', 'element.keys', { keys: ['Enter'] }],
    ['#over', 'element.click', {}],
    ['#list', 'element.select', { choice: { label: 'Blue' } }],
  ];
  const unasked: string[] = [];
  for (const [selector, name, args] of ways)
    if (!(await isAsked(name, { id: await idOf(selector), ...args }))) unasked.push(`${name} ${selector}`);
  expect(unasked).toEqual([]);
  expect(person.asked).toMatchObject([
    {
      effect: 'act',
      sentence: expect.stringContaining(`Send this form to ${new URL(site.url).host}?`),
      origin: site.url,
    },
  ]);
});

test("[BRG-128] asks again when a form's amounts, labels or hidden values change", async () => {
  decision = 'once';
  const questions: [string, number][] = [];
  for (const path of [
    '/first',
    '/first',
    '/next-token',
    '/total',
    '/other-total',
    '/total',
    '/label',
    '/hidden',
  ]) {
    person.asked.length = 0;
    await harness.goto(`${site.url}${path}`);
    await harness.call('element.fill', { id: await idOf('#written'), text: `on ${path}` });
    await harness.call('element.click', { id: await idOf('#keep') });
    await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
    questions.push([path, person.asked.length]);
  }
  expect(questions).toEqual([
    ['/first', 1],
    ['/first', 0],
    ['/next-token', 0],
    ['/total', 1],
    ['/other-total', 1],
    ['/total', 0],
    ['/label', 1],
    ['/hidden', 1],
  ]);
});

/** A form whose fields name a payee and an amount; its button's label is neutral. */
const transfer = ({ to = '', heading = 'Step 2', action = '/sent', fields = TRANSFER_FIELDS }) =>
  `<title>calm</title><h1>${heading}</h1><form method="post" action="${to}${action}">${fields}<button id="go">Next</button></form>`;
const TRANSFER_FIELDS =
  '<label>Payee <input name="p" id="payee"></label><label>Amount <input name="a" id="amount"></label><label>Note <input name="n" id="text"></label>';
const NOTE = '<label>Note <input name="n" id="text"></label>';

async function questionsFor(path: string, written: Readonly<Record<string, string>>): Promise<number> {
  person.asked.length = 0;
  await harness.goto(`${site.url}${path}`);
  for (const [selector, text] of Object.entries(written))
    await harness.call('element.fill', { id: await idOf(selector), text });
  await harness.call('element.click', { id: await idOf('#go') });
  await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
  return person.asked.length;
}

test('[BRG-128] a yes to a form covers the payee and the amount that were shown, and any note', async () => {
  decision = 'once';
  const anna = { '#payee': 'Anna', '#amount': '1.00', '#text': 'hello' };
  expect(await questionsFor('/transfer', anna)).toBe(1);
  expect(await questionsFor('/transfer', { ...anna, '#text': 'again' })).toBe(0);
  expect(await questionsFor('/transfer', { ...anna, '#payee': 'Mallory' })).toBe(1);
  expect(person.asked[0]?.changed).toEqual({
    before: ['"Payee": "Anna"'],
    now: ['"Payee": "Mallory"'],
    since: 'allowed',
  });
  expect(await questionsFor('/transfer', { ...anna, '#amount': '940.00' })).toBe(1);
  expect(person.asked[0]?.sentence).toContain('A yes stands for this form while the tab is lent.');
  expect(await questionsFor('/note', { '#text': 'one' })).toBe(1);
  expect(await questionsFor('/note', { '#text': 'two' })).toBe(0);
  expect(await questionsFor('/note-review', { '#text': 'two' })).toBe(1);
});

test('[BRG-128] asks once per form, once for all ordinary forms of an origin, and never for a search', async () => {
  const send = async (selector: string) => {
    await harness.goto(`${site.url}/forms`);
    await harness.call('element.click', { id: await idOf(selector) });
    await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
  };
  person.asked.length = 0;
  decision = 'once';
  await send('#find');
  expect(person.asked).toHaveLength(0);
  await send('#keep');
  await send('#keep');
  expect(person.asked).toHaveLength(1);
  decision = 'always';
  await send('#over');
  expect(person.asked).toHaveLength(2);
  await harness.goto(`${site.url}/forms`);
  await harness.call('element.type', { id: await idOf('#only'), text: 'x\n' });
  await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
  expect(person.asked).toHaveLength(2);
  decision = 'deny';
  await harness.goto(`${site.otherUrl}/forms`);
  await expect(harness.call('element.click', { id: await idOf('#keep') })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  await harness.goto(`${site.url}/login`);
  expect(await isAsked('element.click', { id: await idOf('button') })).toBe(true);
});

test('[BRG-128] always covers no other destination, no amount, and no words in a heading or an address', async () => {
  decision = 'always';
  await questionsFor('/always', { '#text': 'one' });
  expect(await questionsFor('/always-too', { '#text': 'one' })).toBe(0);
  for (const path of ['/elsewhere', '/transfer-too', '/heading', '/sent/del/account'])
    expect([path, await questionsFor(path, { '#text': 'one' })]).toEqual([path, 1]);
});

test('[BRG-128] a question shows the words that caused it, and every line that would be sent', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/long`);
  expect(await isAsked('element.click', { id: await idOf('button') })).toBe(true);
  expect(person.asked[0]?.sentence).toMatch(/“Show the details .* … .*and pay 5000 to Mallory now”/);
  expect(await isAsked('element.type', { id: await idOf('textarea'), text: 'hello\nI quit\nbye\n' })).toBe(
    true,
  );
  expect(person.asked[0]?.data).toContain('"text": "hello ⏎ I quit ⏎ bye ⏎"');
});

test('[BRG-128] asks about a button in a closed shadow root, even before the first snapshot', async () => {
  decision = 'deny';
  for (const call of [
    () => harness.call('pointer.click', { x: 100, y: 30 }),
    async () => harness.call('element.click', { id: await idOf('#host') }),
  ]) {
    await harness.goto(`${site.url}/closed`);
    person.asked.length = 0;
    await expect(call()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(person.asked).toMatchObject([{ sentence: expect.stringContaining('Pay now') }]);
    expect(await title()).toBe('calm');
  }
});

test('[BRG-128] asks about a button over which the closed shadow root around it draws its words', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/slotted`);
  await harness.call('page.snapshot');
  person.asked.length = 0;
  const pressed = harness.call('element.click', { id: await idOf('#next') });
  await expect(pressed).rejects.toMatchObject({ code: 'permission_denied' });
  expect(person.asked).toMatchObject([{ sentence: expect.stringContaining('Pay now') }]);
});

test('[BRG-128] asks about a button whose only words are in its own closed shadow root', async () => {
  decision = 'deny';
  for (const call of [
    async () => harness.call('element.click', { id: await idOf('#host') }),
    () => harness.call('pointer.click', { x: 100, y: 30 }),
    async () => harness.call('element.keys', { id: await idOf('#host'), keys: 'Enter' }),
  ]) {
    await harness.goto(`${site.url}/host`);
    person.asked.length = 0;
    await expect(call()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(person.asked).toMatchObject([{ sentence: expect.stringContaining('Delete account') }]);
    expect(await title()).toBe('calm');
  }
});
