import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { openPage, type Sites, startSites } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMap, startWalk } from '../test/map-walk.ts';

let sites: Sites;
const evaluator = createWorkerEvaluator({ maxMs: 5000 });
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => Promise.all([sites.close(), evaluator.close()]));

test('cards are added, moved and deleted by the map alone, and every selector is met', async () => {
  await using opened = await openPage({ baseURL: sites.boardUrl });
  const walk = await startWalk(readMap('board'), opened.page, evaluator);
  await walk.goto('/');
  expect(await walk.summary('board.lanes')).toEqual({
    lanes: [
      {
        lane: 'to-do',
        cards: ['card-1: Sow broad beans', 'card-2: Mend the water butt', 'card-3: Order compost'],
      },
      { lane: 'doing', cards: ['card-4: Build the bug hotel', 'card-5: Prune the apple tree'] },
      { lane: 'done', cards: ['card-6: Clear the paths'] },
    ],
  });
  await walk.diff('board.lanes');
  expect(await walk.call('card.add', { title: ' Water the greenhouse ' })).toEqual({
    title: 'Water the greenhouse',
  });
  expect(await walk.diff('board.lanes')).toMatchObject({
    patches: [
      { op: 'add', path: '/lanes/0/cards/3', value: { id: 'card-7', title: 'Water the greenhouse' } },
    ],
  });

  await walk.call('card.move', { card: 'card-1', lane: 'done' });
  expect((await walk.diff('board.lanes')).semantic_deltas).toEqual([
    { type: 'entity_removed', entity_key: 'id=card-1', path: '/lanes/0/cards/0' },
    { type: 'entity_added', entity_key: 'id=card-1', path: '/lanes/2/cards/1' },
  ]);

  expect(await walk.call('card.ask_delete', { card: 'card-3' })).toEqual({
    question: 'Delete “Order compost”?',
  });
  await walk.call('card.delete', { card: 'card-3' });
  expect(await walk.summary('board.lanes', 'counts')).toEqual({ 'to-do': 2, doing: 2, done: 2 });
  expect(walk.missed()).toEqual({ selectors: [], tools: [] });
});
