import { BridgeError, parseAction } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { PAGE } from '../../test/task/scripted-task.ts';
import { callFor } from './action-call.ts';
import { createCallBody } from './call-page.ts';
import type { BodyCall } from './page-call.ts';

const SEEN = {
  ...PAGE,
  viewport: { width: 1000, height: 500 },
  interactiveTree: [...PAGE.interactiveTree, { i: '9', r: 'sel', n: 'Country' }],
};
const { signal } = new AbortController();

test.each([
  ['click(7)', 'element.click', { id: '7' }],
  ['click("f2_7")', 'element.click', { id: 'f2_7' }],
  ['setValue(8, "a \\"b\\"")', 'element.fill', { id: '8', text: 'a "b"' }],
  ['setValue(9, "France")', 'element.select', { id: '9', choice: { label: 'France' } }],
  ['select(9, "France")', 'element.select', { id: '9', choice: { label: 'France' } }],
  ['check(7)', 'element.check', { id: '7' }],
  ['check(7, false)', 'element.uncheck', { id: '7' }],
  ['uncheck(7)', 'element.uncheck', { id: '7' }],
  ['hover(7)', 'element.hover', { id: '7' }],
  ['press("Enter")', 'element.keys', { keys: ['Enter'] }],
  ['press(8, "Control+a Delete")', 'element.keys', { id: '8', keys: ['Control+a', 'Delete'] }],
  ['navigate("https://shop.test/")', 'browser.navigate', { url: 'https://shop.test/' }],
  ['back()', 'browser.navigate', { back: true }],
  ['scroll(7)', 'element.scroll_to', { id: '7' }],
  ['scroll(7, "up")', 'element.scroll_to', { id: '7', direction: 'up' }],
  ['scroll()', 'viewport.scroll', { delta_x: 0, delta_y: 450 }],
  ['scroll("left")', 'viewport.scroll', { delta_x: -900, delta_y: 0 }],
  ['wait()', 'page.wait', { for: 'stable', timeout_ms: 3_000 }],
  ['wait(2)', 'page.wait', { for: 'stable', quiet_ms: 2_000, timeout_ms: 2_000 }],
  ['wait("Paid")', 'page.wait', { for: 'text', text: 'Paid', timeout_ms: 10_000 }],
  [
    'call("cart.add", {"count": 2})',
    'actions.site',
    { mode: 'call', action: 'cart.add', arguments: { count: 2 } },
  ],
])('%s is %s', (text, name, args) => {
  expect(callFor(parseAction(text), SEEN)).toEqual({ name, arguments: args });
});

test.each([
  { semanticNodes: [{ id: '9', role: 'combobox', name: 'Country' }] },
  { domMode: 'skeleton' as const, skeletonDom: '<select id="9"><option>France</option></select>' },
])('[INT-108] a list is one, however the page was seen: %j', (page) => {
  const seen = { ...PAGE, interactiveTree: [], ...page };
  expect(callFor(parseAction('setValue(9, "France")'), seen)).toMatchObject({ name: 'element.select' });
  expect(callFor(parseAction('setValue(8, "France")'), seen)).toMatchObject({ name: 'element.fill' });
});

test.each(['dance(7)', 'click()', 'setValue(8)', 'toString(1)'])('%s is refused, and says why', (text) => {
  expect(() => callFor(parseAction(text), SEEN)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test('passes on the expectations of a plan that the page supports', () => {
  const expected = { type: 'navigation', to: '/cart' };
  expect(callFor(parseAction('click(7)'), SEEN, expected).arguments).toEqual({ id: '7', expected });
  expect(callFor(parseAction('click(7)'), SEEN, { note: 'a cart' }).arguments).toEqual({ id: '7' });
  expect(callFor(parseAction('back()'), SEEN, expected).arguments).toEqual({ back: true });
});

describe('over calls', () => {
  const sent = (answers: Readonly<Record<string, unknown>>): BodyCall & { calls: unknown[] } => {
    const calls: unknown[] = [];
    const call: BodyCall = async (name, args) => {
      calls.push([name, args]);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new BridgeError('unknown_action', `There is no ${name}.`);
      return answer;
    };
    return Object.assign(call, { calls });
  };
  const page = {
    mode: 'semantic',
    url: PAGE.url,
    title: 'Shop',
    interactive_tree: [...PAGE.interactiveTree],
  };

  test('[INT-249] [INT-251] reports the kept share of a huge page and the tools of this address', async () => {
    const call = sent({
      'page.snapshot': {
        mode: 'semantic',
        page,
        dom_filtered: true,
        filter_reason: '900 nodes',
        original_node_count: 900,
        token_reduction: 93,
      },
      'actions.site': {
        actions: [
          { name: 'cart.add', description: 'Adds it.', input_schema: { type: 'object' }, effect: 'act' },
          { name: 'order.track', description: 'Follows it.', target_url_contains: '/orders/' },
        ],
      },
    });
    const seen = await createCallBody(call).perceive({ query: 'lamp' }, signal);
    expect(seen).toMatchObject({
      filtered: {
        dom_filtered: true,
        filter_reason: '900 nodes',
        original_node_count: 900,
        token_reduction: 93,
      },
      tools: [{ name: 'cart.add', effect: 'act', inputSchema: { type: 'object' } }],
    });
    expect(call.calls).toContainEqual(['page.snapshot', { mode: 'semantic', query: 'lamp' }]);
  });

  test('rejects an answer that does not fit its schema', async () => {
    const body = createCallBody(
      sent({ 'page.snapshot': { mode: 'semantic', page: { ...page, interactive_tree: 'none' } } }),
    );
    await expect(body.perceive({}, signal)).rejects.toMatchObject({ code: 'invalid_result' });
  });

  test.each([
    ['handler_timeout', {}, true],
    ['transport_failed', {}, true],
    ['handler_failed', { cancelled: true }, true],
    ['handler_failed', { reason: 'covered' }, undefined],
    ['permission_denied', { reason: 'a person refused it' }, undefined],
    ['handler_timeout', { step: 'waiting for permission' }, undefined],
    ['handler_timeout', { reason: 'timeout' }, undefined],
  ] as const)('whether %s %j leaves it open that it was done', async (code, evidence, open) => {
    const body = createCallBody(sent({ 'element.click': new BridgeError(code, 'No.', { evidence }) }));
    const acted = await body.act({ action: parseAction('click(7)'), seen: SEEN }, signal);
    expect(acted).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^[a-z_]+$/) } });
    expect('indeterminate' in acted ? acted.indeterminate : undefined).toBe(open);
  });

  test('[INT-83] looks for an expected selector', async () => {
    const answers = { 'browser.navigate': {}, 'page.info': { url: PAGE.url, title: 'Shop' } };
    const act = { action: parseAction('back()'), seen: SEEN, expected: { selector: '#paid' } };
    const missing = await createCallBody(sent(answers)).act(act, signal);
    expect(missing).toMatchObject({ effect: { expected: { selector: '#paid', found: false } } });
    const there = { ...answers, 'locator.wait_for': { matched: true, state: 'attached', elapsed_ms: 1 } };
    const found = await createCallBody(sent(there)).act(act, signal);
    expect(found).toMatchObject({ effect: { expected: { selector: '#paid', found: true } } });
  });

  test('[INT-277] treats text for an unreachable field as a secret', async () => {
    const body = createCallBody(sent({}));
    expect(await body.describe(parseAction('setValue("f9_1", "4242")'), signal)).toEqual({ secret: true });
    expect(await body.describe(parseAction('click("f9_1")'), signal)).toEqual({});
  });
});
