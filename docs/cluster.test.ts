import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { startNats, startPostgres } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { followGuide } from './test/guide.ts';

test('every step of docs/cluster.md does what it says', { timeout: 600_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-cluster-guide-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const relay = await startRelay({ data, port: 0, env: {} });
  await relay.close();
  await using shared = await startPostgres();
  await using empty = await startPostgres();
  await using bus = await startNats();
  const database = 'postgres://drawbridge@db.internal/drawbridge';
  await using followed = await followGuide('docs/cluster.md', {
    replace: {
      [`--database ${database}`]: `--no-browser --port 0 --database ${shared.url}`,
      [database]: empty.url,
      'nats://bus.internal:4222': bus.url,
      '~/.drawbridge': data,
      ':7717': ':…',
    },
  });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(3);
});
