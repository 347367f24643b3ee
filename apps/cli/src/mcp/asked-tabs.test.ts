import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askForTabs } from './asked-tabs.ts';

test.skipIf(process.platform === 'win32')(
  '[CHT-329] takes tabs only from a socket in a folder that nobody else can enter',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asked-'));
    const link = `${folder}-link`;
    await symlink(folder, link);
    const tabs = { url: 'http://127.0.0.1:1', token: 'of somebody' };
    const server = createServer((socket) => void socket.end(JSON.stringify(tabs)));
    onTestFinished(async () => {
      server.close();
      await rm(link);
      await rm(folder, { recursive: true });
    });
    server.listen(join(folder, 'lent'));
    await once(server, 'listening');
    expect(await askForTabs(join(folder, 'lent'))).toEqual(tabs);
    await expect(askForTabs(join(link, 'lent'))).rejects.toThrow('has ended');
    await chmod(folder, 0o755);
    await expect(askForTabs(join(folder, 'lent'))).rejects.toThrow('has ended');
  },
);
