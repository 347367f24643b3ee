import { chromiumPath } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';

test('the demo says what its page says', async () => {
  await using followed = await followGuide('docs/demo.md', { env: { CHROME_PATH: chromiumPath() } });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toEqual(['drawbridge demo --auto --fast']);
});
