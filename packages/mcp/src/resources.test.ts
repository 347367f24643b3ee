import { expect, test } from 'vitest';
import { acted, callForText, connectClient, ERAS, lendTab, startBridge } from '../test/mcp-harness.ts';
import { shortArguments } from './mcp-connection.ts';

test.each(ERAS)('reads tabs, maps and traces over MCP %s', async (era) => {
  const bridge = startBridge();
  const manifest = { protocol: 'actions.json', version: 1, tools: [] };
  lendTab(bridge, { 'element.fill': () => acted() }, { manifest });
  let time = 1_800_000_000_000;
  const client = await connectClient(bridge, {
    era,
    nonce: () => 'mark',
    now: () => {
      time += 5;
      return time;
    },
  });
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect([...resources, ...resourceTemplates].map(({ name }) => name)).toEqual([
    'runtimes',
    'traces',
    'map',
    'output',
    'file',
  ]);
  const read = async (uri: string) => {
    const [first] = (await client.readResource({ uri })).contents;
    return first !== undefined && 'text' in first ? first.text : undefined;
  };
  expect(await read('drawbridge://runtimes')).toBe(
    '<page tabs mark>\nr1 https://shop.example/lamps "Lamps"\n</page mark>',
  );
  expect(JSON.parse((await read('drawbridge://maps/r1')) ?? '')).toEqual(manifest);
  await callForText(client, 'act', { steps: [{ do: 'fill', id: '3', value: 'a secret' }] });
  await callForText(client, 'act', { steps: [{ do: 'click', id: '3' }] });
  const traces = (await read('drawbridge://traces')) ?? '';
  expect(traces.split('\n')).toEqual([
    '2027-01-15T08:00:00.005Z element.fill r1 5ms ok id=3 text=(8 characters)',
    expect.stringMatching(/ element\.click r1 5ms (unknown_action|capability_unavailable) id=3$/),
  ]);
  expect(traces).not.toContain('secret');
  await expect(read('drawbridge://maps/nobody')).rejects.toThrow();
  await expect(read('drawbridge://nothing')).rejects.toThrow();
});

test("logs no text of a declared tool's arguments", () => {
  expect(shortArguments('people.find', { id: 'passport 123', count: 2, tags: ['a'], more: {} })).toBe(
    'id=(12 characters) count=2 tags=(1 items) more={…}',
  );
  expect(shortArguments('element.click', { id: '7' })).toBe('id=7');
});
