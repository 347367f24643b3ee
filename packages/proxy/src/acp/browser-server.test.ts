import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type LentTabs, openBrowserServer } from './browser-server.ts';

const PATIENT_MS = 20_000;

async function open() {
  let asked = 0;
  const server = await openBrowserServer({
    server: ['drawbridge'],
    sessionId: () => 'sess_1',
    accepts: async () => true,
    tabs: async () => {
      asked += 1;
      return { url: 'http://127.0.0.1:1', token: 'token' };
    },
  });
  onTestFinished(server.close);
  const path = 'env' in server.entry ? (server.entry.env[0]?.value ?? '') : '';
  return { path, asked: () => asked };
}

async function ask(path: string, written = '\n'): Promise<string> {
  const socket = createConnection(path);
  socket.write(written);
  return text(socket);
}

test.skipIf(process.platform === 'win32')(
  '[CHT-329] the socket of an agent outlives a flood: connections that say nothing, and one that says too much',
  async () => {
    const { path, asked } = await open();
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    const idle = Array.from({ length: 100 }, () => createConnection(path));
    for (const each of idle) each.on('error', () => {});
    // More than it serves are closed at once.
    await expect.poll(() => idle.filter(({ closed }) => closed).length, { timeout: PATIENT_MS }).toBe(68);
    expect(asked()).toBe(0);
    const rest = idle.filter(({ closed }) => !closed);
    for (const each of rest) each.destroy();
    await Promise.all(rest.map((each) => each.closed || once(each, 'close')));
    const flood = createConnection(path).on('error', () => {});
    flood.write('x'.repeat(5_000_000));
    await expect.poll(() => ask(path).catch(() => ''), { timeout: PATIENT_MS }).toContain('"token":"token"');
    flood.destroy();
    expect(asked()).toBe(1);
  },
);

/** The server of one agent, whose relay answers when the test lets it. */
async function openServer() {
  const requests: PromiseWithResolvers<LentTabs>[] = [];
  const server = await openBrowserServer({
    tabs: () => {
      const request = Promise.withResolvers<LentTabs>();
      requests.push(request);
      return request.promise;
    },
    accepts: async () => true,
    server: ['drawbridge', 'mcp'],
    sessionId: () => 's1',
  });
  onTestFinished(server.close);
  const path = 'env' in server.entry ? (server.entry.env?.[0]?.value ?? '') : '';
  const ask = () => {
    const socket = createConnection(path);
    socket.write('\n');
    return { socket, answer: text(socket) };
  };
  return { server, path, requests, ask };
}

const TABS = { url: 'http://relay.example', token: 'second' };

test('[CHT-329] the end of an abandoned request does not begin another beside the one under way', async () => {
  const { requests, ask } = await openServer();
  const other = await openServer();
  const left = ask();
  await expect.poll(() => requests.length).toBe(1);
  left.socket.destroy();
  await left.answer.catch(() => undefined);
  const stays = ask();
  await expect.poll(() => requests.length).toBe(2);
  requests[0]?.reject(new Error('Abandoned.'));
  const joins = ask();
  await once(joins.socket, 'connect');
  // A later connection was read, so that this one was too.
  other.ask();
  await expect.poll(() => other.requests.length).toBe(1);
  requests[1]?.resolve(TABS);
  expect(JSON.parse(await stays.answer)).toEqual(TABS);
  expect(JSON.parse(await joins.answer)).toEqual(TABS);
  expect(requests).toHaveLength(2);
});

test('[CHT-329] closing ends connections that never asked', async () => {
  const { server, path } = await openServer();
  const idle = createConnection(path);
  await once(idle, 'connect');
  const ended = once(idle, 'close');
  server.close();
  await ended;
});

test.skipIf(process.platform === 'win32')(
  '[CHT-329] the folder of a proxy that was killed goes with the next agent, and that of a living one stays',
  async () => {
    const folderOf = (name: string): string => {
      const folder = mkdtempSync(join(tmpdir(), `drawbridge-lent-${name}`));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    };
    const listen = async (folder: string) => {
      const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, 'lent'))}, () => console.log())`;
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      utimesSync(folder, 0, 0);
      return child;
    };
    const [killed, living] = [folderOf('killed'), folderOf('living')];
    const child = await listen(killed);
    await listen(living);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openServer();
    await expect.poll(() => existsSync(killed)).toBe(false);
    expect(existsSync(living)).toBe(true);
  },
);
