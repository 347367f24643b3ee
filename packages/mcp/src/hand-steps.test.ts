import { BridgeError } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { acted, callForText, connectClient, lendTab, startBridge } from '../test/mcp-harness.ts';

describe('steps of a hand', () => {
  const CALLS = 'click drag keys scroll_to hover wheel'.split(' ').map((name) => `element.${name}`);
  async function lent(more: Parameters<typeof lendTab>[1] = {}) {
    const bridge = startBridge();
    const answers = Object.fromEntries(CALLS.map((name) => [name, () => acted()]));
    const tab = lendTab(bridge, { ...answers, ...more });
    const client = await connectClient(bridge, { nonce: () => 'mark' });
    const act = async (steps: readonly object[], args = {}) =>
      (await callForText(client, 'act', { steps, ...args })).text;
    return { bridge, tab, act, sent: () => tab.calls.map(({ name, arguments: args }) => [name, args]) };
  }

  test('are primitives with points, buttons and times', async () => {
    const { act, sent } = await lent();
    await act([
      { do: 'right_click', id: '1', at: [3, 4], modifiers: 'Control+Shift' },
      { do: 'triple_click', x: 10, y: 20 },
      { do: 'hold', id: '2', value: 'Done' },
      { do: 'drag', id: '3', value: '4' },
      { do: 'drag', id: '3', by: [5, 0] },
      { do: 'scroll', value: 'right end' },
      { do: 'scroll', by: [0, -80] },
      { do: 'scroll', by: [30, 40] },
      { do: 'double_tap', id: '2' },
    ]);
    expect(sent()).toEqual([
      ['element.click', { id: '1', at: [3, 4], button: 'right', modifiers: ['Control', 'Shift'] }],
      ['element.click', { at: [10, 20], count: 3 }],
      ['element.click', { id: '2', hold_ms: 10_000, until: 'Done' }],
      ['element.drag', { id: '3', to_id: '4' }],
      ['element.drag', { id: '3', by: [5, 0] }],
      ['element.scroll_to', { direction: 'right', to: 'end' }],
      ['element.scroll_to', { direction: 'up', by: 80 }],
      ['element.scroll_to', { direction: 'right', by: 30 }],
      ['element.scroll_to', { direction: 'down', by: 40 }],
      ['element.click', { id: '2', touch: true, count: 2 }],
    ]);
  });

  test('[BRG-184] press Enter in a separate call, and release held keys', async () => {
    const { act, sent } = await lent();
    await act([
      { do: 'keys', id: '1', value: 'Control+a x Enter Tab' },
      { do: 'key_down', value: 'Shift' },
    ]);
    expect(sent()).toEqual([
      ['element.keys', { id: '1', keys: ['Control+a', 'x'] }],
      ['element.keys', { keys: ['Enter', 'Tab'] }],
      ['element.keys', { keys: ['Shift'], phase: 'down' }],
      ['element.keys', { keys: 'Shift', phase: 'up' }],
    ]);
  });

  test('[BRG-183] name their element by role and name', async () => {
    const found = { id: '7', ambiguous: false };
    const { act, sent } = await lent({
      'locator.wait_for': () => ({ matched: true, state: 'visible', elapsed_ms: 1 }),
      'locator.element_info': () => found,
    });
    expect(await act([{ do: 'click', target: 'button Save' }])).toBe('click button Save ok');
    expect(sent()).toEqual([
      ['locator.wait_for', { locator: { name: 'Save' }, timeout_ms: 300 }],
      ['locator.element_info', { locator: { name: 'Save', role: 'button' } }],
      ['element.click', { id: '7' }],
    ]);
    expect(await act([{ do: 'drag', target: 'text Lamp', value: 'text Attic' }])).toContain('ok');
    expect(sent().at(-1)).toEqual(['element.drag', { id: '7', to_id: '7' }]);
    Object.assign(found, { ambiguous: true, candidate_count: 2, candidates: [{ id: '7' }, { id: '8' }] });
    expect(await act([{ do: 'click', role: 'button', name: 'Save' }])).toContain('Use an id: 7, 8.');
  });

  test('[BRG-183] name similar elements when none has the name', async () => {
    const { act } = await lent({
      'locator.wait_for': () => {
        throw new BridgeError('handler_timeout', 'Not there.');
      },
      'locator.element_info': () => ({ ambiguous: true, candidates: [{ id: '34' }, { id: '35' }] }),
    });
    expect(await act([{ do: 'click', target: 'Row 312' }])).toContain('Elements that contain it: 34, 35.');
  });

  test('name the one visible element that a line of the snapshot is about', async () => {
    const candidates = [
      { id: '7', text: '🖼️IMG_0412', visible: true },
      { id: '8', text: 'IMG_0412 and others', visible: true },
      { id: '9', text: 'IMG_0412', visible: false },
    ];
    const { act, sent } = await lent({
      'locator.wait_for': () => {
        throw new BridgeError('handler_timeout', 'Not there.');
      },
      'locator.element_info': () => ({ ambiguous: true, candidates }),
    });
    expect(await act([{ do: 'click', target: 'IMG_0412' }])).toBe('click IMG_0412 ok');
    expect(sent().at(-1)).toEqual(['element.click', { id: '7' }]);
    candidates.push({ id: '10', text: 'IMG_0412', visible: true });
    expect(await act([{ do: 'click', target: 'IMG_0412' }])).toContain('Use an id: 7, 10.');
  });

  test('say that a tab closed during its step, and go on in others', async () => {
    const { act, tab, bridge } = await lent({
      'element.keys': () => {
        tab.close();
        throw new BridgeError('cancelled', 'The tab has gone.');
      },
    });
    const other = lendTab(
      bridge,
      { 'element.click': () => acted() },
      { runtime_id: 'r2', url: 'https://other.example/' },
    );
    const text = await act(
      [
        { do: 'keys', id: '1', value: 'a' },
        { do: 'click', id: '2' },
        { do: 'click', id: '3', tab: 'other.example' },
      ],
      { tab: 'shop.example' },
    );
    expect(text).toContain(
      '1 keys 1 a: its tab closed, or is no longer lent\n2 click 2 not run: its tab has closed',
    );
    expect(text).toContain('3 click 3 in other.example ok');
    expect(other.calls).toHaveLength(1);
  });

  test('keep the report of earlier steps when a target is missing', async () => {
    const { act } = await lent({
      'locator.wait_for': () => {
        throw new BridgeError('handler_timeout', 'Not there.');
      },
    });
    const text = await act([
      { do: 'click', id: '1' },
      { do: 'click', target: 'Nowhere' },
      { do: 'click', id: '2' },
    ]);
    expect(text).toContain('1 click 1 ok\n2 click Nowhere failed');
    expect(text).toContain('3 click 2 ok');
  });

  test('report a dialog that a press has opened, and go on', async () => {
    const { act } = await lent({
      'element.click': () => {
        const evidence = { reason: 'dialog_open', dialog: 'prompt', message: 'Which gate?' };
        throw new BridgeError('state_mismatch', 'The page shows a prompt dialog.', { evidence });
      },
      'browser.dismiss_dialog': () => ({ dismissed: true }),
    });
    const text = await act([{ do: 'click', id: '1' }, { do: 'accept_dialog' }]);
    expect(text).toContain('1 click 1: a prompt dialog is open\n2 accept_dialog ok');
    expect(text).toContain('dialog prompt: Which gate?');
    expect(text).not.toContain('answers it');
    expect(await act([{ do: 'click', id: '1' }])).toContain('click 1: a prompt dialog is open');
  });

  test('[BRG-186] take points of a screenshot with its scale', async () => {
    const { act, sent } = await lent();
    await act(
      [
        {
          do: 'hover',
          path: [
            [8, 16],
            [40, 80],
          ],
        },
      ],
      { scale: 0.8 },
    );
    await act([{ do: 'wheel', at: [8, 16], by: [0, 100] }], { scale: 0.8 });
    expect(sent()).toEqual([
      [
        'element.hover',
        {
          path: [
            [10, 20],
            [50, 100],
          ],
        },
      ],
      ['element.wheel', { at: [10, 20], by: [0, 100] }],
    ]);
  });

  test('say the position and what is at a point', async () => {
    const position = { x: 0, y: 1200, max_x: 0, max_y: 3400 };
    const { act } = await lent({
      'element.scroll_to': () => acted({}, { position }),
      'element.click': () => acted({}, { on: "img 'Pad'" }),
    });
    expect(await act([{ do: 'scroll', value: 'down' }])).toContain('scroll ok, at 1200 of 3400 (35 %)');
    expect(await act([{ do: 'click', at: [1, 2] }])).toContain("on img 'Pad'");
  });

  test('[BRG-184] end when a person refuses, and before an id that their own press renamed', async () => {
    const denied = new BridgeError('permission_denied', 'No.');
    const { act, tab } = await lent({
      'element.click': ({ id }) => {
        if (id === '1') throw denied;
        return acted({ changed: [{ i: id, n: 'Delete B' }] });
      },
    });
    const twice = (id: string) => [1, 2].map(() => ({ do: 'click', id }));
    expect(await act(twice('1'))).toContain('1 step not run: this one failed.');
    expect(await act(twice('2'))).toContain(
      '1 step not run: an earlier step renamed the element of click 2.',
    );
    expect(tab.calls).toHaveLength(2);
  });
});
