import { chromiumPath } from '@drawbridge/testbed';
import { openDataFolder } from 'drawbridge/data-folder';
import { letAgentsIn } from 'drawbridge/local-agents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTaskHarness, type TaskHarness } from '../e2e/task-harness.ts';
import { followGuide } from './test/guide.ts';

/** One relay, one shop and one browser for all of them. */
let harness: TaskHarness;
let letAgentsOut: () => Promise<void>;
beforeAll(async () => {
  harness = await startTaskHarness({ taskClients: true, ownShop: true });
  letAgentsOut = await letAgentsIn(harness.relay(), await openDataFolder(harness.data));
});
afterAll(async () => {
  await letAgentsOut();
  await harness[Symbol.asyncDispose]();
});

test.each([
  ['docs/tasks.md', 14],
  ['docs/guides/write-a-client.md', 6],
  ['docs/guides/first-agent.md', 2],
  ['docs/agents/mcp.md', 2],
  ['docs/extension.md', 2],
])('every step of %s does what it says', { timeout: 600_000 }, async (page, commands) => {
  await using followed = await followGuide(page, {
    env: { DRAWBRIDGE_HOME: harness.data, CHROME_PATH: chromiumPath() },
    replace: {
      'http://127.0.0.1:7717': harness.relay().url,
      'http://127.0.0.1:7720': harness.shop.url,
    },
  });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(commands);
});
