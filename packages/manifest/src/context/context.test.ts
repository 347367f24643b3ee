import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMap, tool } from '../../test/compose/sample-maps.ts';
import { fakePage } from '../../test/state/fake-page.ts';
import { chooseBlocks, estimateTokens, textOf } from './block-choice.ts';
import { callableTools, type DocumentedMap, selectContext } from './context.ts';
import type { Block } from './load-when.ts';

const map = (context: readonly object[]): DocumentedMap => {
  const whole = aMap({
    context,
    tools: [tool('search', { target: { selector: 'form' } }), tool('bare')],
    states: [{ name: 'ready', diagnostics: [{ name: 'd', target: { selector: 'main' } }] }],
  });
  const { tools, states = [] } = whole;
  return { context: whole.context ?? [], tools, states, signals: [], attachments: [] };
};

const PAGE = 'https://shop.test/search?q=tea';

async function loaded(
  load_when: object | undefined,
  elements: Record<string, number> = {},
): Promise<boolean> {
  const block = { id: 'b', body: 'Words.', ...(load_when === undefined ? {} : { load_when }) };
  const choice = await selectContext(map([block]), fakePage(PAGE, elements), { maxTokens: 1_000 });
  return choice.blocks.length === 1;
}

describe('matching', () => {
  test('[MAN-123] a block whose url predicate does not match is not loaded', async () => {
    expect(await loaded({ url_contains: '/search' })).toBe(true);
    expect(await loaded({ url_contains: '/cart' })).toBe(false);
    expect(await loaded({ url_matches: 'q=\\w+$' })).toBe(true);
    expect(await loaded({ url_matches: '^search' })).toBe(false);
    expect(await loaded({ url_contains: ['/cart', '/search'] })).toBe(true);
    expect(await loaded({ url_contains: '/search', url_matches: '/cart' })).toBe(false);
  });

  test('[MAN-124] a block that lists states is loaded only while one of them is current', async () => {
    expect(await loaded({ states: ['unknown', 'ready'] }, { main: 1 })).toBe(true);
    expect(await loaded({ states: ['unknown', 'ready'] })).toBe(false);
    expect(await loaded({ states: [] }, { main: 1 })).toBe(false);
  });

  test('[MAN-125] a block that lists targets is loaded only while one of them is on the page', async () => {
    expect(await loaded({ targets: ['search', '.other'] }, { form: 1 })).toBe(true);
    expect(await loaded({ targets: ['search', '.other'] }, { '.other': 2 })).toBe(true);
    expect(await loaded({ targets: [{ selector: 'form', state: 'ready' }] }, { form: 1, main: 1 })).toBe(
      true,
    );
    expect(await loaded({ targets: [{ selector: 'form', state: 'ready' }] }, { form: 1 })).toBe(false);
    expect(await loaded({ targets: ['search', '.other'] })).toBe(false);
    expect(await loaded({ targets: ['bare'] })).toBe(false);
  });

  test('[MAN-127] a block without load_when matches everywhere', async () => {
    expect(await loaded(undefined)).toBe(true);
    expect(await loaded({})).toBe(true);
  });

  test('[MAN-127] every kind of predicate in a block must match', async () => {
    const all = { url_contains: '/search', states: ['ready'], targets: ['search'] };
    expect(await loaded(all, { main: 1, form: 1 })).toBe(true);
    expect(await loaded(all, { main: 1 })).toBe(false);
    expect(await loaded(all, { form: 1 })).toBe(false);
    expect(await loaded({ ...all, url_contains: '/cart' }, { main: 1, form: 1 })).toBe(false);
  });
});

const block = (id: string, body: string, more: Partial<Block> = {}): Block => ({ id, body, ...more });
const idsOf = (choice: { readonly blocks: readonly Block[] }) => choice.blocks.map(({ id }) => id);

describe('order', () => {
  const blocks = [
    block('general', 'Welcome to the shop.'),
    block('returns', 'How to send an order back.'),
    block('checkout', 'Pay for the cart with a stored card.'),
  ];

  test('[MAN-126] blocks that match the task come first', () => {
    const first = (task: string) => idsOf(chooseBlocks(blocks, { task, maxTokens: 500 }))[0];
    expect(first('Please pay for my carts')).toBe('checkout');
    expect(first('send back the last order')).toBe('returns');
    expect(first('welcome')).toBe('general');
  });

  test('[MAN-126] without a task the most specific block comes first, then the shorter one', () => {
    const close = block('z-close', 'The longest text of all of these blocks, by far.', {
      load_when: { states: ['s'] },
    });
    expect(idsOf(chooseBlocks([...blocks, close], { maxTokens: 500 }))).toEqual([
      'z-close',
      'general',
      'returns',
      'checkout',
    ]);
  });

  test('[MAN-128] the smallest set that covers the task comes first', () => {
    const some = [
      block('long', `tea and coffee. ${'More words. '.repeat(50)}`),
      block('both', 'tea, coffee'),
      block('tea', 'tea'),
      block('milk', 'milk'),
      block('other', 'nothing of it'),
    ];
    const choice = chooseBlocks(some, { task: 'tea coffee milk', maxTokens: 500 });
    expect(idsOf(choice).slice(0, choice.sufficient)).toEqual(['both', 'milk']);
    expect(idsOf(choice)).toHaveLength(5);
  });

  test('[MAN-128] a block whose words the others cover is not part of that set', () => {
    const some = [
      block('most', 'one two three four'),
      block('left', 'one two five'),
      block('right', 'three four six'),
    ];
    const choice = chooseBlocks(some, { task: 'one two three four five six', maxTokens: 500 });
    expect(idsOf(choice).slice(0, choice.sufficient)).toEqual(['left', 'right']);
  });

  test('[MAN-128] a block that exceeds the budget is left out and reported', () => {
    const choice = chooseBlocks([block('big', 'tea '.repeat(400)), block('small', 'tea')], {
      task: 'tea',
      maxTokens: 50,
    });
    expect(choice).toMatchObject({ sufficient: 1, leftOut: ['big'] });
    expect(idsOf(choice)).toEqual(['small']);
    expect(idsOf(chooseBlocks(blocks, { maxTokens: 0 }))).toEqual([]);
  });

  test("[MAN-128] the estimate is four characters per token, or the host's own", () => {
    expect(estimateTokens('12345')).toBe(2);
    const choice = chooseBlocks(blocks, { maxTokens: 2, tokensOf: () => 1 });
    expect(choice.tokens).toBe(2);
  });

  test('[MAN-128] the budget always holds, and the order of the map does not matter', () => {
    const word = fc.constantFrom('tea', 'milk', 'cart', 'pay', 'order');
    const any = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-z]{1,6}$/),
        body: fc.array(word, { maxLength: 30 }).map((all) => all.join(' ')),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    const property = fc.property(
      any,
      fc.nat(200),
      fc.array(word, { maxLength: 4 }),
      (some, maxTokens, task) => {
        const options = { maxTokens, task: task.join(' ') };
        const choice = chooseBlocks(some, options);
        const spent = choice.blocks.reduce((sum, one) => sum + estimateTokens(textOf(one)), 0);
        expect(spent).toBe(choice.tokens);
        expect(spent).toBeLessThanOrEqual(maxTokens);
        expect(choice.blocks.length + choice.leftOut.length).toBe(some.length);
        expect(chooseBlocks(some.toReversed(), options)).toEqual(choice);
      },
    );
    fc.assert(property);
  });
});

test('[MAN-129] a tool that a block mentions but the map does not declare cannot be called', () => {
  const { tools } = aMap({
    tools: [tool('search'), tool('told', { x_actions: { direction: 'html_to_agent' } })],
  });
  const mentions = block('b', 'Use pay.', { available_tools: ['search', 'pay', 'told'] });
  expect(callableTools(mentions, tools)).toEqual(['search']);
  expect(callableTools(block('c', 'Use search.'), tools)).toEqual([]);
});
