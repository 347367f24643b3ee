import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowserServer } from './browser-server.ts';

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
