import { BridgeError } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { callForText, connectClient, lendTab, seen, startBridge } from '../test/mcp-harness.ts';

describe('choice of a tab', () => {
  async function twoTabs() {
    const bridge = startBridge();
    const answers = { 'page.snapshot': () => seen([]) };
    const shop = lendTab(bridge, answers, { runtime_id: 'r1', url: 'https://shop.example/', title: 'Lamps' });
    const bank = lendTab(bridge, answers, {
      runtime_id: 'r2',
      url: 'https://bank.example/',
      title: 'Accounts',
    });
    return { bridge, shop, bank, client: await connectClient(bridge, { nonce: () => 'mark' }) };
  }

  test('[BRG-62] [BRG-64] lists the tabs with what to do when none of several is named', async () => {
    const { client, shop, bank } = await twoTabs();
    expect(await callForText(client, 'snapshot')).toEqual({
      isError: true,
      text: 'ambiguous_runtime: several tabs fit. Say which in `tab`, by its id or a part of its url or title.\n<page tabs mark>\nr1 https://shop.example/ "Lamps"\nr2 https://bank.example/ "Accounts"\n</page mark>',
    });
    expect([...shop.calls, ...bank.calls]).toEqual([]);
  });

  test.each(['r2', 'bank.example', 'Account'])('accepts %s', async (tab) => {
    const { client, shop, bank } = await twoTabs();
    expect((await callForText(client, 'snapshot', { tab })).isError).toBe(false);
    expect([shop.calls.length, bank.calls.length]).toEqual([0, 1]);
  });

  test('reports the tabs when several or none match', async () => {
    const { client } = await twoTabs();
    expect((await callForText(client, 'snapshot', { tab: '.example' })).text).toMatch(/^ambiguous_runtime/);
    expect((await callForText(client, 'snapshot', { tab: 'nowhere' })).text).toMatch(
      /^runtime_not_found: no tab fits\. There are:\n<page tabs mark>\nr1 /,
    );
  });

  test('[BRG-63] reports that there is none', async () => {
    const client = await connectClient(startBridge());
    expect((await callForText(client, 'snapshot')).text).toBe(
      'runtime_not_found: no tab is lent. Ask the person to lend one.',
    );
    expect((await callForText(client, 'tabs', { do: 'list' })).text).toMatch(/^No tab is lent/);
  });
});

test('reports code, message, short evidence and the next step of an error', async () => {
  const bridge = startBridge();
  lendTab(bridge, {
    'element.click': () => {
      throw new BridgeError('target_not_found', 'The element 7 is covered.', {
        evidence: { reason: 'covered', by: '9', deep: { x: 1 }, ids: ['1', '2'] },
      });
    },
  });
  const client = await connectClient(bridge, { nonce: () => 'mark' });
  expect(await callForText(client, 'act', { steps: [{ do: 'click', id: '7' }] })).toEqual({
    isError: true,
    text: 'target_not_found\n<page https://shop.example mark>\nThe element 7 is covered.\nreason=covered by=9 ids=1,2\n</page mark>\nTake a snapshot and use an id from it.',
  });
});

test('refuses invalid arguments before they reach a tab', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {});
  const client = await connectClient(bridge);
  for (const [name, args] of [
    ['act', { steps: [] }],
    ['act', { steps: [{ do: 'explode', id: '1' }] }],
    ['act', { steps: [{ do: 'click' }] }],
    ['snapshot', { max_tokens: 'many' }],
    ['wait', { for: 'text' }],
    ['tabs', { do: 'navigate' }],
  ] as const) {
    const { text, isError } = await callForText(client, name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(/^invalid_input: /);
  }
  const many = Array.from({ length: 30_000 }, () => ({ do: 'click', id: '1' }));
  expect((await callForText(client, 'act', { steps: many })).text).toContain(
    '`steps` must be a list of at most 200 items',
  );
  expect(tab.calls).toEqual([]);
});

test('answers an unknown tool with a protocol error', async () => {
  const client = await connectClient(startBridge());
  await expect(client.callTool({ name: 'teleport' })).rejects.toThrow(/no tool teleport/);
});

test('says how to answer an open dialog', async () => {
  const bridge = startBridge();
  lendTab(bridge, {
    'element.click': () => {
      throw new BridgeError('state_mismatch', 'The page shows a dialog.', {
        evidence: { reason: 'dialog_open' },
      });
    },
    'browser.dismiss_dialog': () => ({ dismissed: true, accepted: true, dialog: 'prompt', message: '' }),
  });
  const client = await connectClient(bridge);
  expect((await callForText(client, 'act', { steps: [{ do: 'click', id: '7' }] })).text).toMatch(
    /act with accept_dialog or dismiss_dialog answers it\.$/,
  );
  const answer = { steps: [{ do: 'accept_dialog', value: 'Ada' }] };
  expect(await callForText(client, 'act', answer)).toEqual({ isError: false, text: 'accept_dialog ok' });
});

describe('steps of act', () => {
  const OK = { effect: { kind: 'none' } };
  async function lentForm() {
    const bridge = startBridge();
    const answers = { 'element.fill': () => OK, 'element.click': () => OK, 'browser.navigate': () => OK };
    const tab = lendTab(bridge, answers);
    return { tab, client: await connectClient(bridge) };
  }

  test.each([
    [{ do: 'fill', id: '1', txt: 'x' }, 'fill takes `id`, `target`, `value`, `tab`; got `txt`.'],
    [{ do: 'fill', id: '1' }, 'fill needs `value`.'],
    [{ do: 'fill', value: 'x' }, 'fill needs `id` or `target`, from a snapshot.'],
    [
      { do: 'fill', selector: '#a', value: 'x' },
      'fill takes `id`, `target`, `value`, `tab`; got `selector`.',
    ],
    [
      { do: 'click', id: '1', speed: 2 },
      'click takes `id`, `target`, `at`, `modifiers`, `tab`; got `speed`.',
    ],
    [
      { do: 'click', id: '1', value: 'x' },
      'click takes `id`, `target`, `at`, `modifiers`, `tab`; got `value`.',
    ],
    [{ do: 'click', id: '1', at: [1] }, 'click: `at` must be a point: [x, y].'],
    [
      { do: 'drag', id: '1' },
      'drag needs one of `value` (an id or a target, with `to` for a point in it), `to`, `by` and `path`.',
    ],
    [{ do: 'swim', id: '1' }, 'A step has one of these to `do`: click, double_click,'],
    [{ do: 'scroll', value: 'sideways' }, 'scroll `value` is down, up, left, right, start or end'],
    [
      { do: 'fill', id: '1', value: 'a', text: 'b' },
      'fill has `value` and `text`, which mean the same. Give one.',
    ],
  ])('[BRG-176] refuses %j and names the field', async (step, message) => {
    const { client, tab } = await lentForm();
    const { isError, text } = await callForText(client, 'act', { steps: [{ do: 'click', id: '2' }, step] });
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
    expect(tab.calls).toEqual([]);
  });

  test.each([{ value: 'Ada' }, { text: 'Ada' }])('[BRG-176] takes a value as %j', async (fields) => {
    const { client, tab } = await lentForm();
    await callForText(client, 'act', { steps: [{ do: 'fill', ref: '1', ...fields }] });
    expect(tab.calls).toMatchObject([{ name: 'element.fill', arguments: { id: '1', text: 'Ada' } }]);
  });

  test.each([
    ['shop.example/a', 'https://shop.example/a'],
    ['127.0.0.1:7720', 'http://127.0.0.1:7720'],
    ['localhost:7720/x', 'http://localhost:7720/x'],
    ['about:blank', 'about:blank'],
  ])('[BRG-177] goes to %s as %s', async (given, url) => {
    const { client, tab } = await lentForm();
    await callForText(client, 'tabs', { do: 'navigate', url: given });
    expect(tab.calls[0]).toMatchObject({ name: 'browser.navigate', arguments: { url } });
  });
});
