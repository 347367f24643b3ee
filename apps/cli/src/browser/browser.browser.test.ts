import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  childrenOf,
  shopMapFile,
  startProgram,
  temporaryFolder,
  untilGone,
} from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';
import { joinBridge } from '../mcp/joined-bridge.ts';
import { readBridgeFile } from './bridge-file.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

test('[BRG-115] an agent with the token calls a tool, others are refused, and all of it is logged', async () => {
  const data = temporaryFolder();
  const map = shopMapFile(shop.url);
  const program = startProgram(
    `browser --headless --json --port 0 --data ${data} --map ${map} --url ${shop.url}/`.split(' '),
  );
  const { url } = await program.line(({ event }) => event === 'listening');
  expect(program.output[0]).toMatchObject({ event: 'listening', pid: program.child.pid });
  expect(await program.line(({ event }) => event === 'runtime')).toMatchObject({
    url: `${shop.url}/`,
    map: { valid: true, tools: 11, why: 'a file that you named' },
  });

  const file = join(data, 'bridge.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = await readBridgeFile(file);
  if (key === undefined) throw new Error('It says nowhere how to come in.');
  expect(key.url).toBe(url);
  const bridge = await joinBridge(key, async () => true);
  if (bridge === undefined) throw new Error('It does not let us in.');
  const call_id = randomUUID();
  const { output } = bridge.call({ name: 'search.open', arguments: { query: 'lamp' }, call_id });
  expect(await output).toEqual({ found: '3 products for “lamp”' });
  expect(await program.line(({ event }) => event === 'answer')).toMatchObject({ call_id, ok: true });
  expect(await program.line(({ event }) => event === 'call')).toMatchObject({ call_id, name: 'search.open' });
  bridge.close();

  const second = await drawbridge(['browser', '--headless', '--data', data, '--port', '0']);
  expect(second.errors).toContain('already lent');
  expect(second.code).toBe(1);

  const browsers = childrenOf(program.child.pid);
  expect(browsers.length).toBeGreaterThan(0);
  program.child.kill('SIGINT');
  expect(await program.exited).toEqual([0, null]);
  await untilGone(browsers);
  expect(existsSync(file)).toBe(false);
});

test('[BRG-131] lends only the named tab of an attached browser, and leaves it open', async () => {
  await using theirs = await launchChromium({ args: ['--remote-debugging-port=0'] });
  const [port = ''] = readFileSync(join(theirs.userDataDir, 'DevToolsActivePort'), 'utf8').split('\n');
  for (const path of ['/cart', '/search']) await (await theirs.context.newPage()).goto(`${shop.url}${path}`);
  const program = startProgram([
    ...`browser --json --port 0 --data ${temporaryFolder()}`.split(' '),
    ...['--attach', `http://127.0.0.1:${port}`, '--lend', '/cart'],
  ]);
  expect(await program.line(({ event }) => event === 'runtime')).toMatchObject({ url: `${shop.url}/cart` });
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual([0, null]);
  expect(program.output.filter(({ event }) => event === 'runtime')).toHaveLength(1);
  expect(theirs.context.pages().map((page) => new URL(page.url()).pathname)).toContain('/cart');
});
