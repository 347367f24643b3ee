import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { startAgent } from './mcp-client.ts';

/** A server of one page, until the end of the test. */
async function site(html: string) {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>${html}`),
  );
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, [Symbol.asyncDispose]: close };
}

test('[BRG-204] names a tab in the answer of the press that opens it', async () => {
  await using opener = await site(
    `<title>Opener</title><a href="/inner" target="_blank">Link</a>
    <button onclick="open('/inner', '_blank', 'noopener')">Script</button><button>Dead</button>`,
  );
  const { callForText } = await startAgent(opener);
  const list = (await callForText('tabs', { do: 'list' })).text;
  const [, tab] = /^(\w+) http/m.exec(list) ?? [];
  const press = async (target: string) =>
    (await callForText('act', { tab, steps: [{ do: 'click', target }] })).text;
  expect(await press('Dead')).toContain('no change seen');
  for (const target of ['Link', 'Script']) {
    const text = await press(target);
    expect(text).toMatch(new RegExp(`^click ${target} ok$`, 'm'));
    expect(text).toContain('opened a tab');
    expect(text).toMatch(/^<page tabs \w+>\n\w+ \S+\/inner/m);
  }
});

test('[BRG-205] an unchanged page answers in one short line to the mark of a look or an act', async () => {
  await using counter = await site(
    `<title>Counter</title><button onclick="o.value = Number(o.value) + 1">More</button><output id=o>0</output>
    <p>${'Words of a long page. '.repeat(60)}</p>`,
  );
  const { callForText } = await startAgent(counter);
  const text = async (name: string, args: Record<string, unknown>) => (await callForText(name, args)).text;
  const markIn = (answer: string) => /^<page \S+ (\w+)>$/m.exec(answer)?.[1];
  const since = markIn(await text('snapshot', {}));
  expect(await text('snapshot', { since })).toBe(`unchanged since ${since}`);
  expect(await text('snapshot', {})).toBe(`unchanged since ${since}`);
  const told = markIn(await text('act', { steps: [{ do: 'click', target: 'More' }] }));
  expect(await text('snapshot', { since: told })).toBe(`unchanged since ${told}`);
  expect(await text('snapshot', { since })).toMatch(/^changes since/);
  await text('act', { steps: [{ do: 'click', target: 'More' }] });
  expect(await text('snapshot', { since: told })).toMatch(/^changes since (?:.|\n)*> 2$/m);
});
