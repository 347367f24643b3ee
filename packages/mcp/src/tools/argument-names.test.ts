import { expect, test } from 'vitest';
import { acted, callForText, connectClient, lendTab, startBridge } from '../../test/mcp-harness.ts';
import { TOOLS } from './table.ts';

const refusal = async (tool: string, args: Record<string, unknown>) => {
  const bridge = startBridge();
  const tab = lendTab(bridge);
  const { text, isError } = await callForText(await connectClient(bridge), tool, args);
  expect(isError).toBe(true);
  expect(tab.calls).toEqual([]);
  return text;
};

test.each([
  ['act', { steps: [{ do: 'click', id: '1' }], tab_id: 'r1' }, 'Use `tab` for `tab_id`.'],
  ['act', { do: 'click', id: '1' }, 'Use `steps` for `do`.'],
  ['act', { steps: [{ do: 'click', id: '1' }], stopOnError: true }, 'Use `stop` for `stopOnError`.'],
  ['snapshot', { fullPage: true }, 'Use `scope` for `fullPage`.'],
  ['read', { selector: 'main' }, 'Use `region` for `selector`.'],
  ['wait', { for: 'text', text: 'Done' }, 'Use `value` for `text`.'],
  ['screenshot', { width: 300 }, 'Use `max_width` for `width`.'],
  ['tabs', { do: 'open', href: 'shop.example' }, 'Use `url` for `href`.'],
  ['site', { mode: 'call', name: 'cart.add' }, 'Use `action` for `name`.'],
  ['inspect', { show: 'body', request_id: '4' }, 'Use `id` for `request_id`.'],
])('[BRG-203] %s refuses %j, with the name of ours', async (tool, args, advice) => {
  expect(await refusal(tool, args)).toContain(advice);
});

test.each(TOOLS.map(({ name }) => name))('[BRG-203] %s names what it takes', async (tool) => {
  const text = await refusal(tool, { colour: 'red' });
  expect(text).toMatch(new RegExp(`^invalid_input: ${tool} takes \`tab\`.*; got \`colour\``));
});

test('[BRG-203] a whole-page screenshot is refused', async () => {
  expect(await refusal('screenshot', { full_page: true })).toContain('got `full_page`');
});

test('a batch needs a step', async () => {
  expect(await refusal('act', { steps: [] })).toContain('at least one step');
});

test('a number is taken for an id or a text', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, { 'element.fill': () => acted() });
  const { isError } = await callForText(await connectClient(bridge), 'act', {
    steps: [{ do: 'fill', id: 7, value: 12.5 }],
  });
  expect(isError).toBe(false);
  expect(tab.calls.map(({ arguments: args }) => args)).toEqual([{ id: '7', text: '12.5' }]);
});
