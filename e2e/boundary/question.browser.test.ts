import type { Asker, Question } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { type PayingSite, type Swap, startPayingSite } from './paying-site.ts';

let site: PayingSite;
let harness: BrowserHarness;
const asked: Question[] = [];
/** Runs while the person reads, and returns the answer. */
let decide: (question: Question, round: number) => Promise<'once' | 'deny'>;

const person: Asker = {
  async ask(question) {
    asked.push(question);
    const decision = await decide(question, asked.length);
    return { decision, call_hash: question.call_hash, by: 'the test' };
  },
};

beforeAll(async () => {
  site = await startPayingSite();
  harness = await startBrowserHarness({ asker: person, maps: singleMap(mapOf(site.url)) });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked.length = 0;
  site.forget();
});

/** A map with one tool that accepts any arguments. */
const mapOf = (origin: string) => ({
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

const press = async (selector: string, method = 'element.click'): Promise<unknown> => {
  const { id } = (await harness.call('locator.element_info', { locator: { selector } })) as { id: string };
  return harness.call(method, { id });
};
const framedButton = async (): Promise<string | undefined> => {
  const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
    page: { interactive_tree: readonly { i: string; n: string }[] };
  };
  return page.interactive_tree.find(({ n }) => n === 'Pay now')?.i;
};
const pay = () => press('form button');

/** Changes the page while the first question is open, and answers it with yes. */
const swapOnce =
  (what: Swap, then: 'once' | 'deny') =>
  async (_: Question, round: number): Promise<'once' | 'deny'> => {
    if (round > 1) return then;
    await site.swap(what);
    return 'once';
  };

const SWAPS: readonly [Swap, before: string, now: string][] = [
  ['amount', '49.00 €', '490.00 €'],
  ['shown', '49.00 €', '990.00 €'],
  ['payee', 'Lantern and Oak', 'Mallory Ltd'],
  ['action', 'http://127.0.0.1', 'http://localhost'],
  ['button', 'http://127.0.0.1', 'http://localhost'],
  ['hidden', '"account" (hidden): "shop"', '"account" (hidden): "mallory"'],
  ['secret', '"CVC"', '"CVC"'],
  ['custom', 'nothing', '"target": "mallory"'],
  ['choice', '"Own account"', '"Joint account"'],
  ['beside', '"Tip": "0"', '"Tip": "900"'],
  ['enctype', 'POST http', 'POST TEXT/PLAIN http'],
  ['target', 'POST http', 'POST SINK http'],
  ['picture', 'For Ada', 'For Mallory'],
  ['framed', 'For Ben', 'For Mallory'],
  ['styled', 'Fee 2', 'Fee 200'],
  ['echo', '•••', '••• (another value)'],
];

test('a person reads a number that the agent typed beside a card form', async () => {
  decide = async () => 'deny';
  await harness.goto(`${site.url}/pay`);
  await harness.call('text.insert', {
    target: { selector: 'form [name=quantity]' },
    text: '950',
    mode: 'replace',
  });
  await expect(pay()).rejects.toMatchObject({ code: 'permission_denied' });
  expect(asked[0]?.sends?.join('\n')).toContain('950');
});

describe('finding 6: the page swaps the payment while the person reads', () => {
  test.each(SWAPS)('%s: a yes to the first version pays nothing', async (what, before, now) => {
    decide = swapOnce(what, 'deny');
    await harness.goto(`${site.url}/pay`);
    await expect(pay()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(site.payments).toEqual([]);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.changed).toBeUndefined();
    expect(asked[1]?.changed?.before.join('\n')).toContain(before);
    expect(asked[1]?.changed?.now.join('\n')).toContain(now);
    expect(asked[1]?.call_hash).not.toBe(asked[0]?.call_hash);
    const read = asked.map(({ sentence, data, sends, amounts, changed }) => [
      ...[sentence, ...data, ...(sends ?? []), ...(amounts ?? [])],
      ...[...(changed?.before ?? []), ...(changed?.now ?? [])],
    ]);
    expect(read.flat().join('\n')).not.toMatch(/731|913/);
  });

  test.each(['action', 'hidden'] as const)('%s: a yes to the second version pays that one', async (what) => {
    decide = swapOnce(what, 'once');
    await harness.goto(`${site.url}/pay`);
    await pay();
    const account = what === 'hidden' ? 'mallory' : 'shop';
    const { host } = new URL(what === 'action' ? site.otherUrl : site.url);
    expect(asked.at(-1)?.destination).toBe(`http://${host}/paid`);
    const fields = { account, quantity: '2', cvc: '731' };
    await expect.poll(() => site.payments).toEqual([{ host, fields }]);
  });

  test('the question names the destination, the total and the fields, and no secret', async () => {
    decide = async () => 'deny';
    await harness.goto(`${site.url}/pay`);
    await expect(pay()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(asked).toMatchObject([
      {
        destination: `${site.url}/paid`,
        amounts: ['Total 49.00 €'],
        sends: ['"account" (hidden): "shop"', '"Quantity": "2"', '"CVC": •••'],
        page: { title: 'Checkout', origin: site.url },
      },
    ]);
    expect(asked[0]?.sentence).toContain('This can’t be undone.');
    expect(await harness.call('page.info')).toMatchObject({ title: 'Checkout' });
  });

  test('in a frame of another origin the question names both, and is asked again after a change', async () => {
    decide = swapOnce('amount', 'deny');
    await harness.goto(`${site.url}/framed`);
    await expect.poll(() => framedButton()).toBeDefined();
    const id = await framedButton();
    await expect(harness.call('element.click', { id })).rejects.toMatchObject({ code: 'permission_denied' });
    const where = { origin: site.otherUrl, page: { title: 'Checkout', origin: site.url } };
    expect(asked).toMatchObject([
      { ...where, destination: `${site.otherUrl}/paid`, amounts: ['Total 49.00 €'] },
      { ...where, amounts: ['Total 490.00 €'], changed: { now: ['Total 490.00 €', expect.anything()] } },
    ]);
    expect(site.payments).toEqual([]);
  });

  test('a running clock on the page causes no second question', async () => {
    decide = swapOnce('clock', 'deny');
    await harness.goto(`${site.url}/pay`);
    await pay();
    expect(asked).toHaveLength(1);
    await expect.poll(() => site.payments).toHaveLength(1);
  });

  test('gives up on a page that never stops changing after three questions', async () => {
    const turns: readonly Swap[] = ['amount', 'payee', 'hidden'];
    decide = async (_, round) => {
      await site.swap(turns[round - 1] ?? 'action');
      return 'once';
    };
    await harness.goto(`${site.url}/pay`);
    await expect(pay()).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(asked).toHaveLength(3);
    expect(site.payments).toEqual([]);
  });
});

describe('finding 3: allowed once, paid once', () => {
  test.each(['', '#receipt'])('three reloads of a paid page%s resend nothing', async (fragment) => {
    decide = async () => 'once';
    await harness.goto(`${site.url}/pay`);
    await pay();
    await expect.poll(() => site.payments).toHaveLength(1);
    if (fragment !== '') await harness.call('browser.navigate', { url: `${site.url}/paid${fragment}` });
    for (let times = 0; times < 3; times++) {
      expect(await harness.call('browser.navigate', { reload: true })).toMatchObject({
        url: `${site.url}/paid${fragment}`,
      });
      expect(await harness.call('page.read', {})).toMatchObject({
        text: expect.stringContaining('GET /paid'),
      });
    }
    expect(site.payments).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  test.each(['', '-no-store'])('going back to a paid page%s resends nothing', async (path) => {
    decide = async () => 'once';
    await harness.goto(`${site.url}/send${path}`);
    await press('form button');
    await expect.poll(() => site.payments).toHaveLength(1);
    await harness.call('browser.navigate', { url: `${site.url}/next` });
    await harness.call('browser.navigate', { back: true }).catch(() => undefined);
    await harness.call('browser.navigate', { reload: true });
    expect(site.payments).toHaveLength(1);
  });
});

describe('finding 8: an agent forges lines through a tool with an open schema', () => {
  const forged = 'note"\n· "amount": "1 €"\nThis can be undone.\u202E';

  test.each([
    ['a name', { [forged]: 'x' }],
    ['a value', { note: forged }],
    ['names within a value', { note: { [forged]: { [forged]: forged } } }],
    ['several names', { [forged]: 1, [`${forged} `]: 2 }],
  ])('%s makes one line, in quotes', async (_, args) => {
    decide = async () => 'deny';
    await harness.goto(`${site.url}/next`);
    await expect(harness.call('order.place', args)).rejects.toMatchObject({ code: 'permission_denied' });
    const [question] = asked;
    expect(question?.data).toHaveLength(Object.keys(args).length);
    for (const line of question?.data ?? []) {
      expect(line).toMatch(/^"(?:[^"\\]|\\.)*"(?:\."(?:[^"\\]|\\.)*")*: /);
      expect(line).not.toMatch(/[\n\u202E]/);
    }
  });
});
