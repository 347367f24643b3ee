import { join } from 'node:path';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { openPage, startSites } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { readMap, startWalk } from '../../maps/test/map-walk.ts';
import { followGuide } from '../test/guide.ts';

test('the map that the guide leads to adds a card to the real board', async () => {
  const isRun = (command: string) => !command.startsWith('npx');
  await using followed = await followGuide('docs/maps/write-a-map.md', { isRun });
  const map = readMap(join(followed.folder, 'first-map/actions.json'));
  const [sites, evaluator] = [await startSites(), createWorkerEvaluator({ maxMs: 5000 })];
  try {
    await using opened = await openPage({ baseURL: sites.boardUrl });
    const walk = await startWalk(map, opened.page, evaluator);
    await walk.goto('/');
    expect(await walk.summary('board.todo')).toEqual({ to_do: 3 });
    expect(await walk.call('card.add', { title: 'Water the greenhouse' })).toEqual({
      title: 'Water the greenhouse',
    });
    expect(await walk.summary('board.todo')).toEqual({ to_do: 4 });
    expect(walk.missed()).toEqual({ selectors: [], tools: [] });
  } finally {
    await Promise.all([sites.close(), evaluator.close()]);
  }
});
