import { BridgeError } from '@drawbridge/protocol';
import { tokensOf } from '@drawbridge/testbed/tokens';
import { describe, expect, test } from 'vitest';
import {
  acted,
  callForText,
  connectClient,
  ERAS,
  LAMP,
  lendTab,
  seen,
  startBridge,
  type TestTab,
} from '../test/mcp-harness.ts';
import { INSTRUCTIONS } from './mcp-server.ts';

describe.each(ERAS)('over MCP %s', (era) => {
  test('offers eight tools with schemas and hints', async () => {
    const bridge = startBridge();
    const client = await connectClient(bridge, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'snapshot',
      'act',
      'read',
      'wait',
      'screenshot',
      'tabs',
      'site',
      'inspect',
    ]);
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema.type).toBe('object');
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
    }
  });

  test('keeps the schemas small, as an agent pays for them in every conversation', async () => {
    const client = await connectClient(startBridge(), { era });
    const { tools } = await client.listTools();
    expect(tokensOf(JSON.stringify(tools))).toBeLessThanOrEqual(1_400);
    expect(tokensOf(JSON.stringify(tools.find(({ name }) => name === 'inspect')))).toBeLessThanOrEqual(200);
    expect(tokensOf(INSTRUCTIONS)).toBeLessThanOrEqual(75);
  });

  test('keeps the list while tabs come and go', async () => {
    const bridge = startBridge();
    const client = await connectClient(bridge, { era });
    const before = await client.listTools();
    lendTab(
      bridge,
      {},
      { manifest: { tools: [{ name: 'cart.add', description: 'Adds', input_schema: {} }] } },
    );
    expect((await client.listTools()).tools).toEqual(before.tools);
  });

  test('formats a snapshot as lines without places, in a fence with its address', async () => {
    const bridge = startBridge();
    const tab = lendTab(bridge, { 'page.snapshot': () => seen([LAMP]) });
    const client = await connectClient(bridge, { era, nonce: () => 'mark' });
    const { text } = await callForText(client, 'snapshot');
    expect(text).toBe(
      '<page https://shop.example/lamps mark>\n"Lamps"\n12 link Dusk table lamp\n</page mark>',
    );
    expect(tab.calls[0]?.arguments).toMatchObject({ mode: 'semantic', form: 'view', max_tokens: 2000 });
  });

  test('answers an action with its changes only', async () => {
    const bridge = startBridge();
    const effect = {
      added: [{ i: '31', r: 'btn', n: 'Checkout' }],
      removed: [{ i: '9', r: 'btn', n: 'Add' }],
      changed: [
        { i: '7', s: 'checked' },
        { i: '8', v: '', s: '' },
      ],
      successes: ['Added to cart'],
      messages: ['Added to cart', 'Checkout'],
      requests: 1,
    };
    const tab = lendTab(bridge, { 'element.click': () => acted(effect) });
    const client = await connectClient(bridge, { era, nonce: () => 'mark' });
    const { text } = await callForText(client, 'act', { steps: [{ do: 'click', id: '9' }] });
    expect(text).toBe(
      'click 9 ok\n<page https://shop.example mark>\n~7 [checked]\n~8 ="" [no state]\n+31 btn Checkout\n-9\nsuccess: Added to cart\n</page mark>',
    );
    expect(tab.calls.map(({ name }) => name)).toEqual(['element.click']);
  });
});

test('fills several fields in one call without repeating the request', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.fill': ({ id, text }) => acted({ changed: [{ i: id, v: text }] }, { id, reads: text }),
    'element.select': () => acted({ changed: [{ i: '5', v: 'Blue' }] }),
  });
  const client = await connectClient(bridge);
  const { text } = await callForText(client, 'act', {
    steps: [
      { do: 'fill', id: '3', value: 'Ada' },
      { do: 'fill', id: '4', value: 'Lovelace' },
      { do: 'select', id: '5', value: 'Blue' },
    ],
  });
  expect(text).toBe('1 fill 3 ok\n2 fill 4 ok\n3 select 5 ok');
  expect(tab.calls.map(({ arguments: args }) => args)).toEqual([
    { id: '3', text: 'Ada' },
    { id: '4', text: 'Lovelace' },
    { id: '5', choice: { label: 'Blue' } },
  ]);
});

test('does not repeat an added node in words', async () => {
  const bridge = startBridge();
  const added = [
    { i: '6', r: 'btn', n: 'Pump' },
    { i: '7', r: 'btn', n: 'Frame' },
  ];
  lendTab(bridge, {
    'element.click': () => acted({ added, seen: ['new: ▸ Pump', 'new: Pump Frame', 'new: Pump room'] }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text } = await callForText(client, 'act', { steps: [{ do: 'click', id: '1' }] });
  expect(text.split('\n').slice(2, -1)).toEqual(['+6 btn Pump', '+7 btn Frame', 'new: Pump room']);
});

test('goes on after a step without a visible effect, and says what that is based on', async () => {
  const bridge = startBridge();
  const nothing = acted(
    { happened: false, focus_only: true, watched_ms: 41, background: ['text: 12:00 → 12:01'] },
    { verification_passed: false },
  );
  lendTab(bridge, {
    'element.click': ({ id }) =>
      id === '1' ? nothing : acted({ seen: ['text: 0 → 9', 'Kitchen: selected'] }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text, isError } = await callForText(client, 'act', {
    steps: [
      { do: 'click', id: '1' },
      { do: 'click', id: '2' },
    ],
  });
  expect(isError).toBe(false);
  expect(text.split('\n')).toEqual([
    '1 click 1 no change seen (focus only, watched 41 ms)',
    '2 click 2 ok',
    '<page https://shop.example mark>',
    'step 1:',
    'by itself, as before: text: 12:00 → 12:01',
    'step 2:',
    'text: 0 → 9',
    'Kitchen: selected',
    '</page mark>',
  ]);
});

test('types key by key with `ms`, selects words of the page, and takes pictures among the steps', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.keys': () => acted(),
    'element.select_text': () => acted(),
    'locator.element_info': () => ({ id: '9', candidates: [] }),
    'browser.screenshot': () => ({ image: 'AAAA', mime_type: 'image/jpeg', width: 8, height: 6, scale: 0.5 }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { content } = await client.callTool({
    name: 'act',
    arguments: {
      steps: [
        { do: 'type', id: '1', value: 'ab', ms: 1 },
        { do: 'select_text', value: 'QF7M2' },
        { do: 'screenshot' },
      ],
    },
  });
  expect(content).toMatchObject([
    { text: expect.stringContaining('3 Picture of') },
    { type: 'image', data: 'AAAA' },
  ]);
  const calls = tab.calls.map(({ name, arguments: args }) => [name, args]);
  expect(calls).toContainEqual(['element.keys', { id: '1', keys: ['a', 'b'] }]);
  expect(calls).toContainEqual(['element.select_text', { id: '9', text: 'QF7M2' }]);
});

test('types by keys where only keys are heard, and numbers the steps as they were asked for', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.type': () => {
      throw new BridgeError('state_mismatch', 'The box takes no text.', {
        evidence: { reason: 'not_editable' },
      });
    },
    'element.keys': () => acted({ seen: ['text: a b'] }),
    'element.check': () => {
      throw new BridgeError('state_mismatch', 'Disabled.', { evidence: { reason: 'disabled' } });
    },
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text } = await callForText(client, 'act', {
    steps: [
      { do: 'type', id: '1', value: 'a b' },
      { do: 'keys', value: 'Tab Enter' },
      { do: 'check', id: '2' },
    ],
  });
  expect(text).toContain('1 type 1 by keys ok\n2 keys Tab ok\n2 keys Enter ok\n3 check 2 failed');
  expect(text).toContain('step 3:\nDisabled.');
  expect(tab.calls.filter(({ name }) => name === 'element.keys').map(({ arguments: args }) => args)).toEqual([
    { id: '1', keys: ['a'] },
    { keys: ['Space', 'b'] },
    { keys: ['Tab'] },
    { keys: ['Enter'] },
  ]);
});

test.each([
  [acted({ errors: ['Sold out'] }, { verification_passed: false }), 'the page reports an error'],
  [acted({}, { verification_passed: false, achieved: false }), 'the element is not as asked'],
])('says why the other steps are not run: %#', async (answer, why) => {
  const bridge = startBridge();
  const tab = lendTab(bridge, { 'element.check': () => answer });
  const client = await connectClient(bridge);
  const steps = ['1', '2', '3'].map((id) => ({ do: 'check', id }));
  const { text } = await callForText(client, 'act', { steps, stop: true });
  expect(text).toContain(`\n2 steps not run: ${why}.`);
  expect(tab.calls).toHaveLength(1);
  await callForText(client, 'act', { steps });
  expect(tab.calls).toHaveLength(4);
});

test('returns the new page after a navigation, and skips steps for the old one', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.click': () => {
      tab.announce({ url: 'https://pay.example/', title: 'Pay' });
      const url = { from: 'https://shop.example/lamps', to: 'https://pay.example/' };
      return acted({ url, navigation: 'document', removed: [LAMP] });
    },
    'page.snapshot': () => seen([{ i: '1', r: 'btn', n: 'Pay' }], { left_out: { nodes: 9, parts: [] } }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text } = await callForText(client, 'act', {
    steps: [
      { do: 'click', id: '12' },
      { do: 'click', id: '13' },
    ],
  });
  expect(text.split('\n')).toEqual([
    'click 12 ok, new page',
    '<page https://shop.example/lamps mark>',
    '"Lamps"',
    '1 btn Pay',
    '</page mark>',
    '1 step not run: this is a new page. Left out: 9 elements. Narrow with query or region, or raise max_tokens.',
  ]);
  expect(tab.calls.map(({ name }) => name)).toEqual(['element.click', 'page.wait', 'page.snapshot']);
});

test('stops a batch before an element that an earlier step renamed, and says why', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.click': () => acted({ changed: [{ i: '6', n: 'Delete C' }] }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const { text } = await callForText(client, 'act', {
    steps: [
      { do: 'click', id: '5' },
      { do: 'click', id: '6' },
      { do: 'click', id: '7' },
    ],
  });
  expect(tab.calls).toHaveLength(1);
  expect(text).toContain('~6 Delete C');
  expect(text).toMatch(/2 steps not run: an earlier step renamed the element of click 6\. Check it first\.$/);
});

test('does not fail an action when the new page does not answer', async () => {
  const bridge = startBridge();
  lendTab(bridge, {
    'element.click': () =>
      acted({ navigation: 'document', url: { from: 'a', to: 'https://shop.example/b' } }),
    'page.snapshot': () => {
      throw new Error('no page yet');
    },
  });
  const client = await connectClient(bridge);
  const { text, isError } = await callForText(client, 'act', { steps: [{ do: 'click', id: '1' }] });
  expect(isError).toBe(false);
  expect(text).toMatch(
    /^click 1 ok, new page\n[\s\S]*\nurl https:\/\/shop\.example\/b\n[\s\S]*take a snapshot\.$/,
  );
});

test('reports completed steps besides the failed one', async () => {
  const bridge = startBridge();
  lendTab(bridge, { 'element.fill': () => acted() });
  const client = await connectClient(bridge);
  const { text, isError } = await callForText(client, 'act', {
    steps: [
      { do: 'fill', id: '1', value: 'x' },
      { do: 'click', id: '2' },
      { do: 'click', id: '3' },
    ],
  });
  expect(isError).toBe(true);
  expect(text).toMatch(/^1 fill 1 ok\n2 click 2 failed: unknown_action\n/);
  expect(text).toContain('1 step not run: this one failed.');
});

test('selects by label, and by value where no label fits', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'element.select': ({ choice }) => {
      if (JSON.stringify(choice).includes('label'))
        throw new BridgeError('handler_failed', 'No such choice.', { evidence: { reason: 'not_a_choice' } });
      return acted();
    },
  });
  const client = await connectClient(bridge);
  expect((await callForText(client, 'act', { steps: [{ do: 'select', id: '5', value: 'b' }] })).text).toBe(
    'select 5 ok',
  );
  expect(tab.calls[1]?.arguments).toEqual({ id: '5', choice: { value: 'b' } });
});

describe('[BRG-179] a snapshot that the agent has seen', () => {
  const start = async () => {
    const bridge = startBridge();
    const page: { nodes: object[]; text: string } = { nodes: [LAMP], text: 'In stock: 3' };
    lendTab(bridge, {
      'page.snapshot': () =>
        seen(page.nodes, { context: [{ kind: 'text', text: page.text, at: 0 }], hash: 'x' }),
    });
    const client = await connectClient(bridge);
    const look = async (args = {}) => (await callForText(client, 'snapshot', args)).text;
    return { page, look };
  };
  const markIn = (text: string) => /^<page \S+ (\w+)>/.exec(text)?.[1] ?? '';

  test('is answered as unchanged, by its mark or in the same session', async () => {
    const { page, look } = await start();
    const mark = markIn(await look());
    expect(await look()).toBe(`unchanged since ${mark}`);
    expect(await look({ since: mark })).toBe(`unchanged since ${mark}`);
    expect(tokensOf(await look())).toBeLessThan(15);
    expect(markIn(await look({ fresh: true }))).toBe(mark);
    page.text = 'In stock: 2';
    expect(await look()).toContain('> In stock: 2');
  });

  test('moves of a node are no change', async () => {
    const { page, look } = await start();
    await look();
    page.nodes = [{ ...LAMP, xy: [1, 2] }];
    expect(await look()).toMatch(/^unchanged/);
  });

  test('is answered with changes only: elements first, then texts, then what is gone', async () => {
    const { page, look } = await start();
    const mark = markIn(await look());
    const bin = { i: '14', r: 'btn', n: 'trash', g: true };
    page.nodes = [{ ...LAMP, n: 'Dawn table lamp' }, bin];
    page.text = 'In stock: 2';
    expect((await look({ since: mark })).split('\n').slice(0, -1)).toEqual([
      `changes since ${mark}`,
      expect.stringMatching(/^<page /),
      '~12 link Dawn table lamp',
      '+14 btn ~trash',
      '+> In stock: 2',
      '-> In stock: 3',
    ]);
    expect(await look({ since: 'zzzz' })).toMatch(/^That snapshot is forgotten/);
  });

  test('HTML with a query or since is refused', async () => {
    const { look } = await start();
    expect(await look({ mode: 'full', query: 'lamp' })).toMatch(/^invalid_input: mode=full has no `query`/);
    expect(await look({ mode: 'skeleton', since: 'abcd' })).toMatch(/^invalid_input/);
  });
});

test('reads, waits and takes a screenshot', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'page.read': () => ({ text: '# Lamps', next: 7, blocks: 20 }),
    'page.wait': () => ({ matched: true, for: 'text', elapsed_ms: 350, url: 'https://shop.example/' }),
    'browser.screenshot': () => ({ image: 'aGk=', mime_type: 'image/jpeg', width: 800, height: 600 }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect((await callForText(client, 'read')).text).toBe(
    '<page https://shop.example mark>\n# Lamps\n</page mark>\nBlock 7 of 20 comes next: from=7.',
  );
  expect((await callForText(client, 'wait', { for: 'text', value: 'Lamps' })).text).toBe('ok after 350 ms');
  expect((await callForText(client, 'screenshot')).text).toMatch(
    /^Picture of https:\/\/shop\.example, 800×600.*\n\[image\]$/,
  );
  expect(tab.calls[1]?.arguments).toEqual({ for: 'text', text: 'Lamps', timeout_ms: 10_000 });
  expect(tab.calls[2]?.arguments).toMatchObject({ format: 'jpeg', max_width: 1024, max_kilobytes: 600 });
});

test('reports a wait that timed out, with what to do', async () => {
  const bridge = startBridge();
  lendTab(bridge, {
    'page.wait': () => {
      const { effect: late } = acted({ messages: ['Pairing code: 7K-29Q'] });
      const evidence = { reason: 'timeout', late };
      throw new BridgeError('handler_timeout', 'It did not come.', { evidence });
    },
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect(await callForText(client, 'wait', { for: 'url', value: '/cart', timeout_ms: 50 })).toEqual({
    isError: true,
    text: [
      'Not within 50 ms. Take a snapshot to see what came instead.',
      '<page https://shop.example mark>',
      'changed since the last answer:',
      'says: Pairing code: 7K-29Q',
      '</page mark>',
    ].join('\n'),
  });
});

test('says how long a page was at rest, and that a text was shown and is gone', async () => {
  const bridge = startBridge();
  const { effect: late } = acted({ messages: ['Pairing code: 7K-29Q'] });
  const tab = lendTab(bridge, {
    'page.wait': ({ for: what }) => ({
      ...{ matched: true, for: what, elapsed_ms: what === 'stable' ? 520 : 0, url: '' },
      ...(what === 'text' && { gone: true, late }),
    }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect((await callForText(client, 'wait', { for: 'stable' })).text).toBe(
    'ok after 520 ms: no change for 500 ms',
  );
  expect(tab.calls[0]?.arguments).toMatchObject({ quiet_ms: 500 });
  expect((await callForText(client, 'wait', { for: 'text', value: 'code' })).text).toMatch(
    /^ok after 0 ms: it was shown since the last answer, and is gone again\n(?:.*\n)*says: Pairing code: 7K-29Q/,
  );
});

test('lists, navigates, opens, activates and closes tabs', async () => {
  const bridge = startBridge();
  let second: TestTab | undefined;
  const tab = lendTab(
    bridge,
    {
      'browser.navigate': () => ({ navigated: true, url: 'https://shop.example/cart', title: 'Cart' }),
      'page.snapshot': () => seen([LAMP]),
      'browser.open_tab': () => {
        const look = { 'page.snapshot': () => seen([LAMP]) };
        second = lendTab(bridge, look, { runtime_id: 'r9', url: 'https://shop.example/new' });
        return { opened: true, tab: { tab_id: 't9', url: 'about:blank', title: '', active: true } };
      },
      'browser.claimed_tabs.list': () => ({ tabs: [{ tab_id: 't1', runtime_key: 'tab:1' }] }),
      'browser.claimed_tabs.activate': () => ({ activated: true, tab_id: 't1' }),
      'browser.close_tab': () => ({ closed: true, tab_id: 't1' }),
    },
    { runtime_key: 'tab:1' },
  );
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect((await callForText(client, 'tabs', { do: 'list' })).text).toBe(
    '<page tabs mark>\nr1 https://shop.example/lamps "Lamps"\n</page mark>',
  );
  expect(
    (await callForText(client, 'tabs', { do: 'navigate', url: 'https://shop.example/cart' })).text,
  ).toContain('12 link Dusk table lamp');
  expect((await callForText(client, 'tabs', { do: 'open' })).text).toMatch(
    /^opened r9\n[\s\S]*\n12 link Dusk/,
  );
  second?.close();
  expect((await callForText(client, 'tabs', { do: 'activate' })).text).toBe('in front');
  expect((await callForText(client, 'tabs', { do: 'back' })).isError).toBe(false);
  expect((await callForText(client, 'tabs', { do: 'close' })).text).toBe('closed');
  expect(tab.calls.map(({ name, arguments: args }) => [name, args])).toContainEqual([
    'browser.navigate',
    { back: true },
  ]);
  expect(await callForText(client, 'tabs', { do: 'navigate' })).toMatchObject({ isError: true });
});

test('lists a map in lines, calls its actions and reads its state', async () => {
  const bridge = startBridge();
  const listing = {
    actions: [
      {
        name: 'cart.add',
        description: 'Puts a product into the cart.',
        input_schema: {
          type: 'object',
          properties: {
            product: { type: 'string' },
            size: { enum: ['s', 'l'] },
            tags: { type: 'array', items: { type: 'string' } },
          },
          required: ['product'],
        },
        effect: 'irreversible',
      },
    ],
    state_projections: [{ name: 'cart', summaries: ['short'] }],
    files: [],
    skills: [],
  };
  const tab = lendTab(bridge, {
    'actions.site': ({ mode }) => (mode === 'list' ? listing : { added: 1 }),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect((await callForText(client, 'site', { mode: 'list' })).text).toBe(
    '<page https://shop.example mark>\ncart.add(product: string, size?: "s"|"l", tags?: string[]) Puts a product into the cart. (asks a person first)\nstate cart  summaries: short\n</page mark>',
  );
  const args = { mode: 'call', action: 'cart.add', arguments: { product: 'lamp' } };
  expect((await callForText(client, 'site', args)).text).toContain('\n{"added":1}\n');
  expect(tab.calls[1]?.arguments).toEqual(args);
});

test('returns a state without its envelope, and with missing parts', async () => {
  const bridge = startBridge();
  const read = (missing_required_fields: string[]) => ({
    ok: true,
    projection: 'cart',
    state_hash: 'djb2:1',
    observed_at: '2026-01-01T00:00:00.000Z',
    diagnostics: { selector_counts: { lines: 1 }, missing_required_fields, truncated: false },
    state: { total: 98, ok: false },
  });
  lendTab(bridge, {
    'actions.site': ({ projection_name }) => read(projection_name === 'cart' ? [] : ['price']),
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  const delivered = async (projection_name: string) =>
    (await callForText(client, 'site', { mode: 'state_read', projection_name })).text.split('\n')[1];
  expect(await delivered('cart')).toBe('{"state":{"total":98,"ok":false}}');
  expect(await delivered('offers')).toBe('{"state":{"total":98,"ok":false},"missing":["price"]}');
});

test('reports errors and dialogs in a snapshot, but not every addition of a loading page', async () => {
  const bridge = startBridge();
  const look = seen([LAMP]);
  const recentEvents = [
    "[1s ago] Added: 'Wool blanket'",
    "[0s ago] Error: 'Sold out'",
    "[0s ago] Dialog: 'Sure?'",
  ];
  lendTab(bridge, { 'page.snapshot': () => ({ ...look, page: { ...look.page, recentEvents } }) });
  const { text } = await callForText(await connectClient(bridge), 'snapshot');
  expect(text).toContain("\n[0s ago] Error: 'Sold out'\n[0s ago] Dialog: 'Sure?'\n");
  expect(text).not.toContain('Wool');
});

test("cuts HTML to the agent's budget", async () => {
  const bridge = startBridge();
  lendTab(bridge, {
    'page.snapshot': () => ({ mode: 'skeleton', html: '<button id="1">Buy</button>\n'.repeat(500) }),
  });
  const { text } = await callForText(await connectClient(bridge), 'snapshot', {
    mode: 'skeleton',
    max_tokens: 100,
  });
  expect(text.match(/<button/g)?.length).toBeLessThan(15);
  expect(text).toContain('The rest: read {"output":');
});

test('does not repeat a message about a listed node', async () => {
  const bridge = startBridge();
  const effect = {
    added: [{ i: '19', r: 'btn', n: 'Keep it' }],
    dialogs: ['Remove the lamp?'],
    messages: ['Remove the lamp? Keep it', 'Remove the lamp?', 'Keep it', '3 left'],
  };
  lendTab(bridge, { 'element.click': () => acted(effect) });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect((await callForText(client, 'act', { steps: [{ do: 'click', id: '1' }] })).text).toBe(
    'click 1 ok\n<page https://shop.example mark>\n+19 btn Keep it\ndialog: Remove the lamp?\nsays: 3 left\n</page mark>',
  );
});

test('shows a frame that is kept closed', async () => {
  const bridge = startBridge();
  const line = 'frame 4 http://192.168.0.1 closed: press it to ask the person';
  lendTab(bridge, { 'page.snapshot': () => seen([LAMP], { closed_frames: [line] }) });
  expect((await callForText(await connectClient(bridge), 'snapshot')).text).toContain(`\n${line}\n`);
});

test('sums up what was left out under one heading', async () => {
  const bridge = startBridge();
  const parts = [4, 6].map((nodes) => ({ about: 'Lamps', nodes, y: [0, 1] }));
  lendTab(bridge, { 'page.snapshot': () => seen([LAMP], { left_out: { nodes: 10, parts } }) });
  const { text } = await callForText(await connectClient(bridge), 'snapshot');
  expect(text).toContain('\nleft out: 10 under "Lamps"\n');
  expect(text).toMatch(/Left out: 10 elements\. Narrow with query or region, or raise max_tokens\.$/);
});
