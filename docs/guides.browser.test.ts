import { chromiumPath } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';
import { npmStart, type Started } from './test/npm-start.ts';

const browser = { CHROME_PATH: chromiumPath() };
/** One `npm start` for all of them, at the addresses that the pages name. */
let started: Started;
beforeAll(async () => {
  started = await npmStart(browser, '--task-clients');
}, 400_000);
afterAll(() => started?.[Symbol.asyncDispose]());

test.each([
  ['docs/tasks.md', 14],
  ['docs/guides/write-a-client.md', 6],
  ['docs/guides/first-agent.md', 3],
  ['docs/agents/mcp.md', 2],
  ['docs/agents/steer.md', 3],
  ['docs/extension.md', 2],
])('every step of %s does what it says', { timeout: 600_000 }, async (page, commands) => {
  await using followed = await followGuide(page, { env: { ...browser, DRAWBRIDGE_HOME: started.data } });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(commands);
});
