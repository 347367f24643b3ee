import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startSites } from './server.ts';

test('two sites, closed more than once', async () => {
  const sites = await startSites();
  expect((await fetch(sites.libraryUrl)).status).toBe(200);
  expect((await fetch(sites.boardUrl)).status).toBe(200);
  await sites.close();
  await sites.close();
  await expect(fetch(sites.libraryUrl)).rejects.toThrow();
});

test('a port that is taken is refused and leaves nothing open', async () => {
  const first = await startSites();
  const boardPort = Number(new URL(first.boardUrl).port);
  await expect(startSites({ boardPort })).rejects.toThrow('EADDRINUSE');
  await first.close();
});

test('as programs they print their addresses and close on Ctrl-C', async () => {
  const ports = ['--library-port', '0', '--board-port', '0'];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...ports]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (const title of ['Home', 'Riverside Garden']) {
    const address = String((await lines.next()).value).match(/http:\S+/)?.[0] ?? '';
    expect(await (await fetch(address)).text()).toContain(`<title>${title} · `);
  }
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
