import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { startSite } from '../site.ts';

/** A form that the page sends by itself once its field is written in or left. */
const selfSent = (attributes: string, { form = '', more = '' } = {}) =>
  `<title>calm</title><h1>Confirm your payment of 900 €</h1><form id="form" method="post" action="/sent?self" ${form}>
<input id="code" name="otp" autocomplete="one-time-code" aria-label="Code" ${attributes}><button id="pay">Pay 900 €</button></form>
<form action="/sent?get"><input id="find" aria-label="Find" oninput="this.form.submit()"></form><input id="other" aria-label="Other">${more}`;
const SIX = 'if (this.value.length === 6)';
/** A press on an element that says nothing runs `script`. */
const bland = (script: string, element = '<div id="bland" tabindex="0">Continue</div>') =>
  `<title>calm</title><h1>Confirm your payment of 900 €</h1><form id="form" method="post" action="/sent?bland"><input name="note"><input type="hidden" name="amount" value="940">
<div contenteditable aria-label="Message">Hello Ada</div></form>
${element}<script>bland.onclick = () => { ${script} }</script>`;
/** A form in a shadow root, under the pointer. */
const shadowed = (mode: string) =>
  `<title>calm</title><body style="margin:0"><div id="host"></div><h1>Payment of 900 €</h1><script>
const root = host.attachShadow({ mode: '${mode}' });
root.innerHTML = '<form method="post" action="/sent?shadow"><input name="note"><button>Next</button></form><div>Open</div>';
root.lastChild.style.cssText = 'position:fixed;left:0;top:0;width:90px;height:90px';
root.lastChild.onclick = () => root.firstChild.requestSubmit()</script>`;
const SELF_SENT = {
  '/submit': selfSent(`oninput="${SIX} this.form.submit()"`),
  '/request': selfSent(`oninput="${SIX} this.form.requestSubmit()"`),
  '/pressed': selfSent(`oninput="${SIX} pay.click()"`),
  '/microtask': selfSent(`oninput="${SIX} queueMicrotask(() => this.form.requestSubmit())"`),
  '/timer': selfSent(`oninput="${SIX} setTimeout(() => this.form.submit(), 0)"`),
  '/event': selfSent(`oninput="${SIX} this.form.dispatchEvent(new Event('submit', { cancelable: true }))"`, {
    more: "<script>form.onsubmit = () => { fetch('/sent?fetched', { method: 'POST' }); return false }</script>",
  }),
  '/changed': selfSent(`onchange="this.form.submit()"`),
  '/left': selfSent(`onblur="this.form.submit()"`),
  '/blank': selfSent(`oninput="${SIX} this.form.requestSubmit()"`, { form: 'target="_blank"' }),
  '/new-window': selfSent(`oninput="${SIX} this.form.submit()"`, { form: 'target="_blank" rel="noopener"' }),
  '/named-window': selfSent(`oninput="${SIX} this.form.submit()"`, { form: 'target="elsewhere"' }),
  '/inner': selfSent(`oninput="${SIX} this.form.submit()"`, {
    form: 'target="inside"',
    more: '<iframe name="inside"></iframe>',
  }),
  '/new-frame': selfSent(`oninput="${SIX} sendInFrame()"`, {
    form: 'target="made"',
    more: `<script>const sendInFrame = () => { const frame = document.createElement('iframe'); frame.name = 'made';
      document.body.append(frame); form.submit() }</script>`,
  }),
  '/formaction': `<title>calm</title><h1>Payment of 900 €</h1><form action="/sent?form"><input id="code" name="otp" aria-label="Code"
    oninput="pay.click()"><button id="pay" formmethod="post" formaction="/sent?button">Next</button></form>`,
  '/clobbered': `<title>calm</title><h1>Payment of 900 €</h1><iframe name="inside"></iframe><form id="form" method="post" target="inside"
    action="/sent?clobbered"><input id="code" name="submit" aria-label="Code" oninput="HTMLFormElement.prototype.submit.call(form)">
    <input name="localName"><input name="nodeType"><input name="ownerDocument"><input name="remove"><input name="parentNode"></form>`,
  '/opened': `<title>calm</title><script>setTimeout(() => { document.open(); document.write(\`<title>calm</title><h1>Payment of 900 €</h1>
    <form id="form" method="post"><input id="code" name="note" aria-label="Code" oninput="form.requestSubmit()"></form>\`); document.close();
    form.onsubmit = () => { fetch('/sent?fetched', { method: 'POST' }); return false } })</script>`,
  '/late': selfSent(
    `oninput="${SIX} setTimeout(() => { this.form.submit(); document.body.id = 'late' }, 100)"`,
  ),
  '/framed': `<title>calm</title><body style="margin:0"><script>
    document.write('<iframe width="400" height="300" src="' + location.href.replace('127.0.0.1', 'localhost').replace('framed', 'submit') + '">')</script>`,
  '/shadow': shadowed('open'),
  '/scrolled': bland('').replace(
    '<script>',
    '<p id="end" style="margin-top:5000px">End</p><script>onscroll = () => form.submit();',
  ),
  '/get': bland('form.submit()')
    .replace('method="post"', '')
    .replace('name="note"', 'name="cvc" autocomplete="cc-csc"'),
  '/bland-div': bland('form.submit()'),
  '/bland-link': bland('form.requestSubmit(); return false', '<a href="#" id="bland">Details</a>'),
  '/bland-button': bland('form.requestSubmit()', '<button type="button" id="bland">Next</button>'),
  '/bland-made': bland(
    `const made = form.cloneNode(true); document.body.append(made); made.submit(); made.remove()`,
  ),
  '/confirmed': bland("if (confirm('Go on?')) form.submit()"),
  '/alerted': bland("alert('Hello'); form.submit()").replace('?bland', '?alerted'),
  '/slow': bland("setTimeout(() => { form.submit(); document.body.id = 'slow' }, 1500)").replace(
    '?bland',
    '?slow',
  ),
  '/handed-over': bland('', '<a id="bland" href="/handing-over">Next</a>'),
  '/handing-over': `<form id="form" method="post" action="/sent?over"></form><script>setTimeout(() => form.submit(), 500)</script>`,
  '/beside': bland('form.submit()').replace('?bland', '?beside'),
  '/bland-timer': bland('setTimeout(() => form.submit(), 0)'),
};

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
let decision: 'once' | 'always' | 'deny' = 'deny';
const person = answeringPerson(() => decision);

beforeAll(async () => {
  site = await startSite({ ...SELF_SENT, '/sent': '<title>sent</title>' });
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

async function framedField(): Promise<string | undefined> {
  const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
    page: { interactive_tree: readonly { i: string; n: string }[] };
  };
  return page.interactive_tree.find(({ n }) => n === 'Code')?.i;
}

/** Opens the page, forgets what happened before, and does it one way. */
async function doing(path: string, way: string): Promise<unknown> {
  await harness.goto(`${site.url}${path}`);
  person.asked.length = 0;
  site.posts.length = 0;
  return WAYS[way]?.();
}

const scrolled = () => harness.call('page.wait', { for: 'stable' });

const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  fill: async () => {
    await harness.call('locator.wait_for', { locator: { selector: '#code' } });
    return harness.call('element.fill', { id: await idOf('#code'), text: '123456' });
  },
  type: async () => harness.call('element.type', { id: await idOf('#code'), text: '123456' }),
  insert: () => harness.call('text.insert', { target: { selector: '#code' }, text: '123456' }),
  paste: () => harness.call('clipboard.paste', { target: { selector: '#code' }, text: '123456' }),
  leave: async () => {
    await harness.call('element.type', { id: await idOf('#code'), text: '123' });
    return harness.call('element.focus', { id: await idOf('#other') });
  },
  tab: async () => {
    await harness.call('element.type', { id: await idOf('#code'), text: '123' });
    return harness.call('element.keys', { id: await idOf('#code'), keys: ['Tab'] });
  },
  key: async () => {
    await harness.call('element.type', { id: await idOf('#code'), text: '12345' });
    return harness.call('keyboard.press', { key: '6' });
  },
  keys: async () => {
    await harness.call('element.focus', { id: await idOf('#code') });
    await harness.call('keyboard.press', { key: '6' });
    return harness.call('keyboard.press', { key: 'Tab' });
  },
  other: async () => {
    await harness.call('element.focus', { id: await idOf('#code') });
    return harness.call('element.keys', { id: await idOf('#other'), keys: ['a'] });
  },
  framed: async () => {
    await expect.poll(framedField).toBeDefined();
    return harness.call('element.fill', { id: await framedField(), text: '123456' });
  },
  // The browser reports a scroll with its next frame.
  scroll: () => harness.call('viewport.scroll', { delta_y: 600 }).then(scrolled),
  show: () => idOf('#end').then(scrolled),
  press: async () => harness.call('element.click', { id: await idOf('#bland') }),
  point: () => harness.call('pointer.click', { x: 20, y: 20 }),
};
const ways = (way: string, ...paths: string[]) => paths.map((path) => [path, way] as const);
const SENDING: readonly (readonly [path: string, way: string])[] = [
  ...['fill', 'type', 'insert', 'paste', 'key'].map((way) => ['/submit', way] as const),
  ...ways('fill', '/request', '/pressed', '/microtask', '/timer', '/event', '/changed', '/blank'),
  ...ways('fill', '/inner', '/new-frame', '/formaction', '/clobbered', '/opened'),
  ...['leave', 'tab', 'other'].map((way) => ['/left', way] as const),
  ['/changed', 'keys'],
  ['/shadow', 'point'],
  ['/scrolled', 'scroll'],
  ['/scrolled', 'show'],
  ['/framed', 'framed'],
  ...ways('press', '/bland-div', '/bland-link', '/bland-button', '/bland-made', '/bland-timer', '/get'),
];

test('[BRG-128] asks about a POST form that the page sends because of what the agent does, and a no keeps it', async () => {
  decision = 'deny';
  const failed: unknown[] = [];
  for (const [path, way] of sampled(SENDING, 3)) {
    const error: unknown = await doing(path, way).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    const code: unknown = Reflect.get(Object(error), 'code');
    const message = String(Reflect.get(Object(error), 'message'));
    const isTold = code === 'permission_denied' && message.includes('was not sent');
    if (person.asked.length !== 1 || !isTold || site.posts.length > 0 || (await title()) !== 'calm')
      failed.push([path, way, person.asked.length, code, message, [...site.posts]]);
  }
  expect(failed).toEqual([]);
});

test('[BRG-128] the question about such a form says what sends it, where it goes and what is in it', async () => {
  decision = 'deny';
  await doing('/submit', 'fill').catch(() => undefined);
  expect(person.asked).toMatchObject([
    {
      name: 'element.fill',
      effect: 'irreversible',
      sentence: `Send the form “Pay 900 €” at ${site.url}? The page sends it because of element.fill. This can’t be undone.`,
      destination: `${site.url}/sent?self=`,
      amounts: ['Pay 900 €'],
      sends: ['"Code": •••'],
    },
  ]);
  await doing('/bland-div', 'press').catch(() => undefined);
  expect(person.asked.at(-1)?.sends).toEqual(['"amount" (hidden): "940"', '"Message": "Hello Ada"']);
  await doing('/formaction', 'fill').catch(() => undefined);
  expect(person.asked.at(-1)?.destination).toBe(`${site.url}/sent?button=`);
  await doing('/framed', 'framed').catch(() => undefined);
  expect(person.asked).toMatchObject([{ origin: site.otherUrl, destination: `${site.otherUrl}/sent?self=` }]);
});

test('[BRG-128] a yes sends the form that was stopped, once; the same ordinary form is not asked about again', async () => {
  decision = 'once';
  const questions: [string, number][] = [];
  for (const [path, way] of [
    ...ways('fill', '/submit', '/pressed', '/event', '/inner'),
    ...ways('framed', '/framed'),
    ...ways('point', '/shadow', '/shadow'),
    ...ways('press', '/bland-div', '/bland-link', '/bland-made'),
  ] as const) {
    await doing(path, way);
    await expect.poll(() => [path, site.posts.length]).toEqual([path, 1]);
    questions.push([path, person.asked.length]);
  }
  expect(questions).toEqual([
    ['/submit', 1],
    ['/pressed', 1],
    ['/event', 1],
    ['/inner', 1],
    ['/framed', 1],
    ['/shadow', 1],
    ['/shadow', 0],
    ['/bland-div', 1],
    ['/bland-link', 0],
    ['/bland-made', 0],
  ]);
});

test('[BRG-128] a form that was sent late is asked about, at the latest with the next act, and so is its button', async () => {
  decision = 'deny';
  const codes: unknown[] = [];
  const keep = (error: unknown) => void codes.push(Reflect.get(Object(error), 'code'));
  await doing('/late', 'fill').catch(keep);
  await harness.call('locator.wait_for', { locator: { selector: '#late' } }).catch(keep);
  await harness.call('element.focus', { id: await idOf('#other') }).catch(keep);
  expect(codes).toEqual(['permission_denied']);
  expect([person.asked.length, site.posts, await title()]).toEqual([1, [], 'calm']);
  decision = 'once';
  await harness.call('element.click', { id: await idOf('#pay') });
  await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
  expect([person.asked.length, site.posts.length]).toEqual([2, 1]);
});

test('[BRG-128] a form for a new window is asked about, and only a yes sends it', async () => {
  const [main] = harness.bridge.runtimes();
  const others = () => harness.bridge.runtimes().filter(({ runtime_id }) => runtime_id !== main?.runtime_id);
  const answers = () => others().filter(({ ready }) => ready.url.includes('/sent'));
  for (const path of ['/new-window', '/named-window'])
    for (const answer of ['deny', 'once'] as const) {
      decision = answer;
      const done = await doing(path, 'fill').then(
        () => 'once',
        () => 'deny',
      );
      const sent = answer === 'once' ? 1 : 0;
      // Some browsers open the window before the form is stopped, and leave it empty.
      await expect
        .poll(() => [path, done, person.asked.length, site.posts.length, answers().length])
        .toEqual([path, answer, 1, sent, sent]);
      for (const { runtime_id } of others()) await harness.call('browser.close_tab', {}, { runtime_id });
      await expect.poll(() => others()).toEqual([]);
    }
});

test('[BRG-128] a form that the page sends seconds later is asked about when the agent waits', async () => {
  for (const answer of ['deny', 'once'] as const) {
    decision = answer;
    await doing('/slow', 'press');
    const locator = { selector: '#slow' };
    const code = await harness.call('page.wait', { for: 'locator', locator, timeout_ms: 30_000 }).then(
      () => 'once',
      (error: { code: string }) => error.code,
    );
    expect(code).toBe(answer === 'once' ? 'once' : 'permission_denied');
    expect(person.asked.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('The page sends it by itself.'),
    ]);
    await expect.poll(() => site.posts.length).toBe(answer === 'once' ? 1 : 0);
  }
});

test('[BRG-128] a page to which an act led sends its form, as pages do that sign a person in', async () => {
  decision = 'deny';
  await doing('/handed-over', 'press');
  await harness.call('page.wait', { for: 'url', url_contains: '/sent' });
  expect([person.asked.length, site.posts.length]).toEqual([0, 1]);
});

test('[BRG-128] a form behind a dialog is asked about once: with a confirm, or after an alert', async () => {
  for (const [path, effect] of [
    ['/confirmed', 'irreversible'],
    ['/alerted', 'act'],
  ] as const) {
    decision = 'once';
    await doing(path, 'press').catch(() => undefined);
    expect(site.posts).toEqual([]);
    await harness.call('browser.dismiss_dialog', { accept: true });
    await expect.poll(() => [path, site.posts.length]).toEqual([path, 1]);
    expect(person.asked.map((question) => [path, question.effect])).toEqual([[path, effect]]);
  }
});

test('[BRG-128] a GET form that sends itself is left alone', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/submit`);
  person.asked.length = 0;
  await harness.call('element.fill', { id: await idOf('#find'), text: 'x' });
  await harness.call('page.wait', { for: 'url', url_contains: '/sent?' });
  expect(person.asked).toEqual([]);
});

test('[BRG-128] a read that scrolls waits for the act before it, whose hold it would end', async () => {
  decision = 'deny';
  await harness.goto(`${site.url}/beside`);
  const id = await idOf('#bland');
  site.posts.length = 0;
  const ended: string[] = [];
  const end = (name: string) => () => void ended.push(name);
  const click = harness.call('element.click', { id });
  await Promise.all([click.catch(end('click')), idOf('#form').then(end('read'))]);
  expect([ended, site.posts]).toEqual([['click', 'read'], []]);
});
