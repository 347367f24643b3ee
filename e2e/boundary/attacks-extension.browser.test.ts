import { type MapSource, singleMap } from '@drawbridge/runtime';
import { isDeep, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSite } from '../site.ts';
import { startLeadingSite } from './control-harness.ts';
import { type DeceitfulSite, SWAPS_IN_TURN, startDeceitfulSite } from './deceits.ts';
import { ACTS, obeyDeceit } from './deceived-agent.ts';
import { type AttackedExtension, type LentTab, startAttackedExtension } from './extension-harness.ts';
import { ORACLES, type Oracle, outcomeOf, readByLetters } from './secret-oracles.ts';
import { SECRETS, SHOWN, startEchoSite } from './secrets-page.ts';
import { DECEITS, HONEST, type SentSite, startSentSite } from './sent-as-shown-site.ts';

/** Attacks with an agent's token alone on a running relay and the real extension. */

const closing = new AsyncDisposableStack();
let extension: AttackedExtension;
let deceitful: DeceitfulSite;
let echo: Awaited<ReturnType<typeof startEchoSite>>;
let site: Awaited<ReturnType<typeof startSite>>;
let own: Awaited<ReturnType<typeof startLeadingSite>>;
let sent: SentSite;
/** Another private address, that nobody opened. */
let router: Awaited<ReturnType<typeof startLeadingSite>>;

const FULL = 'style="position:absolute;inset:0;width:100%;height:100%"';
const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'touchstart', 'touchend'];
/** A far pointer takes the frame away, so that the page can be tried again. */
const SWAPPING = (origin: string) => `<title>calm</title>
  <script>addEventListener('message', ({ data }) => { if (data.startsWith('paid')) document.title = data; });</script>
  <button id="next" style="position:absolute;left:50px;top:50px;width:200px;height:60px">Next</button>
  <iframe id="victim" src="${origin}/victim"
    style="position:absolute;left:40px;top:40px;width:240px;height:90px;border:0;opacity:0.01;z-index:-1"></iframe>
  <script>
    ${SWAPS_IN_TURN}
  </script>`;
const VICTIM = `<button ${FULL}>Pay now</button><script>
  for (const type of ${JSON.stringify(EVENTS)})
    addEventListener(type, () => parent.postMessage('paid by ' + type, '*'));</script>`;

const toolMap = (origin: string): MapSource =>
  singleMap({
    protocol: 'actions.json',
    version: 1,
    surface: { origin, name: 'Shop' },
    tools: [
      {
        name: 'order.place',
        description: 'Place the order.',
        input_schema: { type: 'object' },
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [{ id: 'page', primitive: 'page.info', args: {} }],
          output: "{% {'ordered': true} %}",
        },
        x_actions: { effect: 'irreversible' },
      },
    ],
  });

beforeAll(async () => {
  [deceitful, sent, echo, own, router] = await Promise.all([
    startDeceitfulSite(),
    startSentSite(),
    startEchoSite(),
    startLeadingSite(() => 0),
    startLeadingSite(() => 0),
  ]);
  closing.use(deceitful);
  closing.use(sent);
  closing.use(echo);
  closing.defer(own.close);
  closing.defer(router.close);
  const pages: Record<string, string> = {
    '/': '<title>calm</title><h1>Shop</h1>',
    '/victim': VICTIM,
    '/forms': `<title>calm</title><form method="post" action="/sent?a"><input name="note" aria-label="Note"><button id="first">Keep</button></form>
      <form method="post" action="/sent?b"><input name="more" aria-label="More"><button id="second">Keep too</button></form>`,
    '/sent': '<title>sent</title>',
  };
  site = closing.use(await startSite(pages));
  pages['/swap'] = SWAPPING(site.otherUrl);
  extension = closing.use(await startAttackedExtension({ maps: toolMap(site.url) }));
  const opened = [site.url, deceitful.url, sent.url];
  await extension.harness.openAddresses(
    ...opened.flatMap((url) => [url, url.replace('127.0.0.1', 'localhost')]),
  );
}, 300_000);
afterAll(() => closing.disposeAsync());
beforeEach(() => {
  extension.prompts.length = 0;
  extension.decide('deny');
  deceitful.takePayments();
});

const goto = (tab: LentTab, url: string): Promise<unknown> => tab.call('browser.navigate', { url });
const idBy = async (tab: LentTab, selector: string): Promise<string> =>
  ((await tab.call('locator.element_info', { locator: { selector } })) as { id: string }).id;

/** The frame comes in at another moment in each. */
const TRIES = isDeep ? 10 : 4;

const MODES = [
  ['without the debugger', false],
  ['with the debugger', true],
] as const;

describe.each(MODES)('%s', (_, trusted) => {
  let tab: LentTab;
  beforeAll(async () => {
    tab = await extension.lend(`${site.url}/`, trusted);
  });
  afterAll(() => tab.close());

  test('[BRG-128] [finding 9] an ordinary form asks once, and its own for another form', async () => {
    const sends = async (selector: string) => {
      await goto(tab, `${site.url}/forms`);
      extension.prompts.length = 0;
      await tab.call('element.click', { id: await idBy(tab, selector) });
      await tab.call('page.wait', { for: 'url', url_contains: '/sent' });
      return extension.prompts.length;
    };
    await goto(tab, `${site.url}/forms`);
    await expect(tab.call('element.click', { id: await idBy(tab, '#first') })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    expect(site.posts).toEqual([]);
    extension.decide('once');
    expect([await sends('#first'), await sends('#first'), await sends('#second')]).toEqual([1, 0, 1]);
    expect(site.posts.splice(0)).toEqual(['/sent?a', '/sent?a', '/sent?b']);
  });

  test('[finding 5] a frame of another site that is swapped in gets nothing, in each try of each route', async () => {
    await goto(tab, `${site.url}/swap`);
    const id = await idBy(tab, '#next');
    // Synthetic events reach no frame of another site.
    for (let tries = 0; tries < (trusted ? TRIES : 2); tries++) {
      for (const [name, args] of [
        ['element.click', { id }],
        ['pointer.click', { x: 150, y: 80 }],
      ] as const) {
        await tab.call('pointer.move', { x: 20, y: 400 });
        await tab.call(name, args).catch(() => undefined);
        expect(await tab.page.title(), `${name}, try ${tries}`).toBe('calm');
      }
    }
    // The person's own press pays: the frame is there, and reports what it receives.
    await tab.page.bringToFront();
    const press = async () => {
      await tab.page.mouse.move(20, 400);
      await tab.page.mouse.move(150, 80, { steps: 3 });
      await tab.page.mouse.click(151, 81);
      return tab.page.title();
    };
    await expect.poll(press).toContain('paid by');
  });
});

// All of them over CDP: sent-as-shown.browser.test.ts.
test.each(MODES)('%s, after a yes nothing else is sent than was shown', async (_, trusted) => {
  const tab = await extension.lend(`${site.url}/`, trusted);
  const pay = async (path: string, ...choices: ('once' | 'deny')[]) => {
    await goto(tab, `${sent.url}${path}`);
    sent.got.length = 0;
    extension.prompts.length = 0;
    extension.decide(...choices);
    return tab.call('element.click', { id: await idBy(tab, '#b') }).catch((error: unknown) => error);
  };
  const failed: unknown[] = [];
  for (const path of sampled(Object.keys(DECEITS), trusted ? 5 : 3)) {
    const answer = await pay(path, 'once', 'deny');
    if (extension.prompts.length === 1) await tab.call('page.wait', { for: 'stable' }).catch(() => undefined);
    const [, second = ''] = extension.prompts;
    if (sent.got.length > 0 || extension.prompts.length !== 2 || !/evil|Mallory|9999|900/.test(second))
      failed.push([path, sent.got.slice(), extension.prompts.slice(), answer]);
  }
  for (const path of sampled(Object.keys(HONEST), 8)) {
    await pay(path, 'once', 'deny');
    await expect.poll(() => sent.got, { message: path }).toHaveLength(1);
    if (extension.prompts.length !== 1) failed.push([path, extension.prompts.slice()]);
  }
  await tab.close();
  expect(failed).toEqual([]);
});

// Without the debugger: gullible-extension.browser.test.ts.
test('[BRG-128] [finding 4] [finding 9] with the debugger, an agent that obeys deceitful pages pays nothing unasked', async () => {
  const tab = await extension.lend(`${deceitful.url}/none`, true);
  const hands = { call: tab.call, goto: async (url: string) => void (await goto(tab, url)) };
  const paid: string[] = [];
  for (const [page, [name, deceit]] of sampled([...Object.entries(deceitful.deceits).entries()], 20)) {
    for (const [how, act] of ACTS.filter((_, each) => (each - page) % 8 === 0)) {
      await obeyDeceit(hands, deceitful.url + deceitful.pathOf(name), deceit, act);
      if (deceitful.takePayments() > 0) paid.push(`${name}: ${how}`);
    }
  }
  await tab.close();
  expect(paid).toEqual([]);
  expect(extension.prompts.length).toBeGreaterThan(3);
}, 240_000);

// Each of them over CDP: secrets.browser.test.ts.
describe.each(
  sampled(
    SECRETS.map((secret, place) => ({ ...secret, place })),
    3,
  ),
)('[INT-277] [finding 7] $name', ({ place, value, wrong }) => {
  let tab: LentTab;
  const answerTo = (name: string, args: object): Promise<unknown> =>
    tab.call(name, args).catch((error: unknown) => error);
  beforeAll(async () => {
    tab = await extension.lend(`${echo.url}/${place}`, false);
  });
  afterAll(() => tab.close());

  test('is told by no oracle, and read in no letter', async () => {
    const blind: string[] = [];
    const leaks: string[] = [];
    const tells = async (oracle: Oracle, { value: one, wrong: other }: typeof SHOWN) => {
      const outcome = (guess: string) => outcomeOf(oracle, guess, answerTo, () => idBy(tab, '#alert'));
      return (await outcome(one)) !== (await outcome(other));
    };
    for (const oracle of sampled(ORACLES, 12)) {
      if (!(await tells(oracle, SHOWN))) blind.push(oracle.name);
      const first = { value: value.slice(0, 1), wrong: wrong.slice(0, 1) };
      for (const guess of [{ value, wrong }, first])
        if (await tells(oracle, guess)) leaks.push(`${oracle.name}: ${guess.value}`);
    }
    expect({ blind, leaks }).toEqual({ blind: [], leaks: [] });
    if (isDeep) expect(await readByLetters(value, wrong, answerTo)).toEqual({ text: '', url: '', title: '' });
  });

  test('is in no answer, nor on the next page and in a new tab, while visible text is', async () => {
    const holds = new RegExp(`(?<![a-z0-9])${value}(?![a-z0-9])`, 'i');
    const look = async (at: LentTab) => {
      const answers = [];
      for (const [name, args] of LOOKS) answers.push(await at.call(name, args));
      return JSON.stringify(answers, (_, inner) => (typeof inner === 'number' ? 0 : inner));
    };
    const here = await look(tab);
    expect(here).toContain(SHOWN.value);
    expect(here).not.toMatch(holds);
    await tab.call('element.click', { id: await idBy(tab, '#next button') });
    await tab.call('page.wait', { for: 'text', text: 'Your secrets are' });
    const next = await look(tab);
    const other = await extension.lend(`${echo.url}/next`, true);
    const elsewhere = await look(other);
    await other.close();
    for (const text of [next, elsewhere]) {
      expect(text).toContain(SHOWN.value);
      expect(text).not.toMatch(holds);
    }
  });
});

const LOOKS: readonly (readonly [string, object])[] = [
  ['page.info', {}],
  ['page.snapshot', { scope: 'page', form: 'lines', context: true }],
  ['page.snapshot', { mode: 'full' }],
  ['page.read', {}],
  ['a11y.tree', { max_nodes: 2_000 }],
  ['dom.snapshot_text', {}],
  ['dom.observe.attributes', { selector: '*', attributes: ['text', 'title', 'href', 'value', 'class'] }],
  ['browser.claimed_tabs.list', {}],
];

test('[finding 8] an agent that forges lines in names and values of arguments makes one line of each', async () => {
  const forged = 'note"\n· "amount": "1 €"\nThis can be undone.\u202E\r\u2028';
  const tab = await extension.lend(`${site.url}/`, false);
  for (const args of [
    { [forged]: 'x' },
    { note: forged },
    { note: { [forged]: { [forged]: forged } } },
    { [forged]: 1, [`${forged} `]: 2 },
  ]) {
    extension.prompts.length = 0;
    await expect(tab.call('order.place', args)).rejects.toMatchObject({ code: 'permission_denied' });
    const [prompt = ''] = extension.prompts;
    const lines = prompt.split('\n');
    expect(lines.filter((line) => line.startsWith('· '))).toHaveLength(Object.keys(args).length);
    for (const line of lines.filter((each) => /amount|undone/.test(each)))
      expect(line).toMatch(
        /^(?:· "(?:[^"\\]|\\.)*"(?:\."(?:[^"\\]|\\.)*")*: .*|order\.place at .*|This can’t be undone\.)$/,
      );
    expect(prompt).not.toMatch(/[\u202E\u2028\r]/);
  }
  await tab.close();
});

test('[BRG-175] [finding 10] a private address is not reached by navigation, new tab or redirect without a yes', async () => {
  const tab = await extension.lend(`${own.url}/`, false);
  const local = router.url.replace('127.0.0.1', 'router.localhost');
  const urls = [`${router.url}/`, `${local}/`, 'http://192.168.1.1/', 'http://printer.local/'];
  for (const url of urls)
    for (const name of ['browser.navigate', 'browser.open_tab'])
      await expect(tab.call(name, { url }), `${name} ${url}`).rejects.toMatchObject(DENIED);
  expect(extension.prompts).toHaveLength(8);
  for (const prompt of extension.prompts) expect(prompt).toContain('in your own network');
  expect(await tab.call('page.info')).toMatchObject({ url: `${own.url}/` });
  // Chrome follows a redirect of the lent site before anybody can be asked: nothing is answered from there.
  const redirect = `${own.url}/redirect?to=${encodeURIComponent(`${router.url}/`)}`;
  for (const name of ['browser.navigate', 'browser.open_tab'])
    await expect(tab.call(name, { url: redirect }), name).rejects.toMatchObject(DENIED);
  for (const name of ['page.snapshot', 'page.info', 'page.read', 'browser.screenshot'])
    await expect(tab.call(name), name).rejects.toMatchObject(DENIED);
  await expect(tab.call('page.fetch', { url: `${router.url}/link` })).rejects.toMatchObject(DENIED);
  await tab.close();
});

const DENIED = { code: 'permission_denied', evidence: { reason: 'local_network' } };
