import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  childrenOf,
  orderMapFile,
  shopMapFile,
  startProgram,
  temporaryFolder,
  untilGone,
} from '../../test/live/program-harness.ts';
import { connectMcp } from '../../test/mcp/mcp-client.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

test('starts a browser, lists tools, sees a page, and leaves nothing behind when killed', async () => {
  const { client, transport, say } = await connectMcp(
    `--headless --data ${temporaryFolder()} --map ${shopMapFile(shop.url)} --url ${shop.url}/`.split(' '),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('snapshot');
  expect(childrenOf(transport.pid ?? undefined)).toEqual([]);
  expect(await say('snapshot')).toContain('Lantern & Oak');
  expect(await say('site', { mode: 'call', action: 'search.open', arguments: { query: 'lamp' } })).toContain(
    '3 products for “lamp”',
  );
  const browsers = childrenOf(transport.pid ?? undefined);
  expect(browsers.length).toBeGreaterThan(0);
  process.kill(transport.pid ?? 0, 'SIGKILL');
  await untilGone(browsers);
});

test('starts a closed browser again on the next call', async () => {
  const { transport, say } = await connectMcp(
    `--headless --data ${temporaryFolder()} --url ${shop.url}/`.split(' '),
  );
  expect(await say('snapshot')).toContain('Lantern & Oak');
  const first = childrenOf(transport.pid ?? undefined);
  for (const pid of first) process.kill(pid, 'SIGKILL');
  await untilGone(first);
  await expect.poll(() => say('snapshot', { fresh: true }), { timeout: 60_000 }).toContain('Lantern & Oak');
  expect(childrenOf(transport.pid ?? undefined)).not.toEqual(first);
});

test('[BRG-128] asks through the client before an irreversible action, or refuses with a way out', async () => {
  const args = () =>
    `--headless --data ${temporaryFolder()} --map ${orderMapFile(shop.url)} --url ${shop.url}/`.split(' ');
  const order = { mode: 'call', action: 'order.place', arguments: {} };
  const asked: string[] = [];
  const asking = await connectMcp(args(), (message) => {
    asked.push(message);
    return 'once';
  });
  expect(await asking.say('site', order)).toContain('ordered');
  expect(asked).toEqual([expect.stringContaining(shop.url)]);
  const silent = await connectMcp(args());
  expect(await silent.say('site', order)).toMatch(/permission_denied.*drawbridge browser/s);
});

test('[BRG-160] offers maps to the page’s own agent only with --offer-maps', async () => {
  const page = `<!doctype html><p id=p></p><script>
    const list = async () => { p.textContent = 'tools: ' + (await document.modelContext.getTools()).map(({ name }) => name); };
    document.modelContext.addEventListener('toolchange', list);
    list();
  </script>`;
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => void server.close());
  const args = () =>
    `--headless --data ${temporaryFolder()} --map ${orderMapFile(url)} --url ${url}/`.split(' ');
  const offering = await connectMcp([...args(), '--offer-maps']);
  await offering.say('wait', { for: 'text', value: 'order.place' });
  expect(await offering.say('snapshot')).toContain('tools: order.place');
  const plain = await connectMcp(args());
  expect(await plain.say('snapshot')).toMatch(/tools:(?! order)/);
});

test('joins the lent browser, and starts none', async () => {
  const data = temporaryFolder();
  const lent = startProgram(
    `browser --headless --json --port 0 --data ${data} --url ${shop.url}/`.split(' '),
  );
  await lent.line(({ event }) => event === 'runtime');
  const { transport, say } = await connectMcp(['--data', data]);
  expect(await say('snapshot')).toContain('Lantern & Oak');
  expect(childrenOf(transport.pid ?? undefined)).toEqual([]);
  expect(await lent.line(({ event }) => event === 'answer')).toMatchObject({ ok: true });
});

test('ends with its standard input, and closes its browser', async () => {
  const { child, exited, line } = startProgram(
    `mcp --headless --data ${temporaryFolder()} --url ${shop.url}/`.split(' '),
  );
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: hello });
  expect(await line(({ id }) => id === 1)).toMatchObject({ result: { serverInfo: { name: 'drawbridge' } } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'tabs', arguments: { do: 'list' } } });
  expect(JSON.stringify(await line(({ id }) => id === 2))).toContain(shop.url);
  const browsers = childrenOf(child.pid);
  expect(browsers.length).toBeGreaterThan(0);
  child.stdin?.end();
  expect(await exited).toEqual([0, null]);
  await untilGone(browsers);
});

test('[BRG-180] [BRG-181] an agent uploads from an allowed folder, and gets what the page saves', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/report')
      response
        .setHeader('content-disposition', 'attachment; filename="report.csv"')
        .end('day,sum\nMonday,7\n');
    else
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Desk</title>
        <label>Scan <input type=file accept=.pdf onchange="files[0].text().then((text) => { out.value = files[0].name + ' has ' + text; })"></label>
        <a href="/report">Report</a><output id=out></output>`);
  });
  const site = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  onTestFinished(() => void server.close());
  const files = temporaryFolder();
  await writeFile(join(files, 'scan.pdf'), 'a scanned page');
  const { client, say } = await connectMcp(
    ['--headless', '--data', temporaryFolder(), '--files', files, '--url', site],
    () => 'once',
  );
  const seen = await say('snapshot');
  const idOf = (name: string) => new RegExp(`^(\\S+) \\S+ ${name}`, 'm').exec(seen)?.[1];
  const act = (step: object) => say('act', { steps: [step] });
  const upload = (value: string, file?: string) =>
    act({ do: 'upload', id: idOf('Scan'), value, ...(file !== undefined && { file }) });
  const shows = (value: string) => say('wait', { for: 'text', value });
  await upload(join(files, 'scan.pdf'));
  expect(await shows('scan.pdf has a scanned page')).toMatch(/^ok/);
  await upload(`data:application/pdf;base64,${btoa('inline')}`, 'in.pdf');
  expect(await shows('in.pdf has inline')).toMatch(/^ok/);
  expect(await upload('/etc/hostname')).toMatch(/^permission_denied.*--files DIR/s);
  const saved = await act({ do: 'click', id: idOf('Report') });
  const [, id = ''] =
    /saved (file_[\w-]+) "report.csv" text\/csv 17 bytes sha256 [0-9a-f]{64}/.exec(saved) ?? [];
  expect(id, saved).not.toBe('');
  expect(await say('tabs', { do: 'files' })).toContain(id);
  expect(await say('read', { output: id })).toMatch(/<page http.*>\nday,sum\nMonday,7\n/);
  const { contents } = await client.readResource({ uri: `drawbridge://files/${id}` });
  expect(contents).toMatchObject([{ mimeType: 'text/csv', blob: btoa('day,sum\nMonday,7\n') }]);
  await expect(client.readResource({ uri: 'drawbridge://files/file_none' })).rejects.toThrow();
});
