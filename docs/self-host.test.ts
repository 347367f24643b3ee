import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';

/** Free a moment ago: a relay that starts there is told so by the page's own command. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('every step of docs/self-host.md does what it says', { timeout: 600_000 }, async () => {
  const port = await freePort();
  await using followed = await followGuide('docs/self-host.md', {
    replace: {
      'drawbridge doctor --no-browser': `drawbridge doctor --no-browser --port ${port}`,
      'up --no-browser\n': `up --no-browser --port ${port}\n`,
      '127.0.0.1:7717': `127.0.0.1:${port}`,
    },
  });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(11);
});
