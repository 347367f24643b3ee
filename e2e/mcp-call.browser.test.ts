import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent } from './mcp-client.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

test('progress of a declared tool reaches the client while it runs, and only rises', async () => {
  const { callForText } = await startAgent(shop);
  const { text, isError, progress } = await callForText('site', {
    mode: 'call',
    action: 'search.open',
    arguments: { query: 'lamp' },
  });
  expect({ text, isError }).toMatchObject({ isError: false });
  expect(progress.map(({ message }) => message)).toContain('pointer.click');
  const rising = progress.map(({ progress }) => progress);
  expect(rising).toEqual([...new Set(rising)].sort((a, b) => a - b));
});

test('a cancelled call ends long before its timeout, and the tab stays usable', async () => {
  const { client, callForText } = await startAgent(shop);
  await callForText('tabs', { do: 'list' });
  const leaving = new AbortController();
  const call = client.callTool(
    { name: 'wait', arguments: { for: 'text', value: 'no page says this', timeout_ms: 30_000 } },
    { signal: leaving.signal },
  );
  const ended = expect(call).rejects.toThrow('changed my mind');
  // Messages are read in order: when this one is answered, the wait has started.
  await callForText('tabs', { do: 'list' });
  leaving.abort(new Error('changed my mind'));
  await ended;
  const traces = async () => JSON.stringify(await client.readResource({ uri: 'drawbridge://traces' }));
  await expect.poll(traces, { timeout: 20_000 }).toMatch(/page\.wait \S+ \d+ms cancelled/);
  expect((await callForText('snapshot')).text).toContain('Lantern & Oak');
});

test('a screenshot is one picture within the width and size limits', async () => {
  const { client } = await startAgent(shop);
  const { content } = await client.callTool({ name: 'screenshot', arguments: { max_width: 400 } });
  const [words, picture, ...more] = content;
  expect(more).toEqual([]);
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
  const bytes = Buffer.from(picture?.type === 'image' ? picture.data : '', 'base64');
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(bytes.length).toBeLessThanOrEqual(600 * 1024);
  const [, width] = /(\d+)×\d+/.exec(words?.type === 'text' ? words.text : '') ?? [];
  expect(widthOf(bytes)).toBe(Number(width));
  expect(widthOf(bytes)).toBeLessThanOrEqual(400);
});

test('an answer over the budget is stored as a fenced resource that can be read on', async () => {
  const { client, callForText } = await startAgent(shop);
  const { text } = await callForText('snapshot', { mode: 'full', max_tokens: 60 });
  expect(text).not.toContain('</html>');
  const [uri = ''] = /drawbridge:\/\/outputs\/\w+/.exec(text) ?? [];
  const [kept] = (await client.readResource({ uri })).contents;
  const whole = kept !== undefined && 'text' in kept ? kept.text : '';
  expect(whole).toContain('</html>');
  const [, mark] = /^<page \S+ (\S+)>\n/.exec(whole) ?? [];
  expect(whole.startsWith(`<page ${shop.url} ${mark}>\n`)).toBe(true);
  expect(whole.endsWith(`\n</page ${mark}>`)).toBe(true);
  const [, how = ''] = /read (\{.*?\})/.exec(text) ?? [];
  const rest = await callForText('read', JSON.parse(how));
  expect(rest.isError).toBe(false);
  const [, firstLine = ''] = rest.text.split('\n');
  expect(whole).toContain(firstLine);
});

/** The frame header of a JPEG contains its size (https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2). */
function widthOf(jpeg: Buffer): number | undefined {
  let index = 2;
  while (index < jpeg.length) {
    const marker = jpeg.readUInt16BE(index);
    if (marker >= 0xffc0 && marker <= 0xffc2) return jpeg.readUInt16BE(index + 7);
    index += 2 + jpeg.readUInt16BE(index + 2);
  }
  return undefined;
}
