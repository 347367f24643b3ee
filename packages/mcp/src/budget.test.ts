import { tokensOf } from '@drawbridge/testbed/tokens';
import { expect, test } from 'vitest';
import { callForText, connectClient, lendTab, seen, startBridge } from '../test/mcp-harness.ts';
import { createOutputStore } from './answer/output-store.ts';

const LONG = Array.from({ length: 4000 }, (_, line) => `line ${line} of a long text`).join('\n');

test('stores an oversized answer, shows a part, and lets it be read to the end', async () => {
  const bridge = startBridge();
  lendTab(bridge, { 'actions.site': () => LONG });
  const client = await connectClient(bridge, { maxTokens: 1000 });
  const { text } = await callForText(client, 'site', { mode: 'state_read' });
  expect(tokensOf(text)).toBeLessThan(400);
  const found = /read \{"output":"(\w+)","from":(\d+)\} or (drawbridge:\/\/outputs\/\w+)/.exec(text);
  expect(found).not.toBeNull();
  const [, output, start, uri] = found ?? [];

  const whole = await client.readResource({ uri: uri ?? '' });
  expect(JSON.stringify(whole)).toContain('line 3999 of');

  let all = inside(text);
  for (let from: number | undefined = Number(start); from !== undefined; ) {
    const part = await callForText(client, 'read', { output, from, max_tokens: 100_000 });
    expect(tokensOf(part.text)).toBeLessThan(1100);
    all += inside(part.text);
    const next = /from=(\d+)/.exec(part.text)?.[1];
    from = next === undefined ? undefined : Number(next);
  }
  expect(all).toBe(LONG);
});

const inside = (text: string): string => /^<page .*>\n([\s\S]*)\n<\/page /m.exec(text)?.[1] ?? '';

test('passes the budget to the page, so that nothing beyond it is sent', async () => {
  const bridge = startBridge();
  const tab = lendTab(bridge, {
    'page.snapshot': () => seen([]),
    'page.read': () => ({ text: 'x', blocks: 1 }),
  });
  const client = await connectClient(bridge, { maxTokens: 500 });
  await callForText(client, 'snapshot', { max_tokens: 100 });
  await callForText(client, 'snapshot', { max_tokens: 100_000 });
  await callForText(client, 'read', { max_tokens: 100_000 });
  await callForText(client, 'snapshot', { mode: 'full', max_tokens: 300 });
  expect(tab.calls.map(({ arguments: args }) => args['max_tokens'])).toEqual([100, 500, 500, 300]);
});

test('reports an evicted output', async () => {
  const client = await connectClient(startBridge());
  const { text, isError } = await callForText(client, 'read', { output: 'o99' });
  expect(isError).toBe(true);
  expect(text).toMatch(/^invalid_input: .*call again/);
  await expect(client.readResource({ uri: 'drawbridge://outputs/o99' })).rejects.toThrow();
});

test('keeps the last few outputs within its size', () => {
  const store = createOutputStore({ outputs: 2, characters: 10 });
  const [one, two, three] = ['a', 'b', 'c'].map((text) => store.add('x', text));
  expect([one, two, three].map((output) => store.get(output?.id ?? '')?.text)).toEqual([undefined, 'b', 'c']);
  const large = store.add('x', 'd'.repeat(50));
  expect(store.get(large.id)?.text).toHaveLength(10);
  expect(store.get(three?.id ?? '')).toBeUndefined();
});
