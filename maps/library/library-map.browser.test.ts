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

test('a book is found, held and let go by the map alone, and every selector is met', async () => {
  await using opened = await openPage({ baseURL: sites.libraryUrl });
  const walk = await startWalk(readMap('library'), opened.page, evaluator);
  await walk.goto('/');
  expect(await walk.call('catalogue.search', { query: 'the' })).toEqual({ found: '18 books for “the”' });
  await walk.diff('library.results');
  expect(await walk.call('catalogue.next_page')).toEqual({ place: 'Page 2 of 3' });
  expect(await walk.diff('library.results')).toMatchObject({ baseline: 'previous_snapshot' });
  expect(await walk.state('library.results')).toMatchObject({ has_next: true, place: 'Page 2 of 3' });

  await walk.call('catalogue.search', { query: 'verne' });
  expect(await walk.state('library.results')).toEqual({
    found: '2 books for “verne”',
    place: 'Page 1 of 1',
    has_next: false,
    books: [
      {
        id: 'twenty-thousand-leagues',
        title: 'Twenty Thousand Leagues Under the Sea',
        author: 'Jules Verne',
        year: 1870,
        copies: 'All copies on loan',
        held: false,
      },
      {
        id: 'around-the-world',
        title: 'Around the World in Eighty Days',
        author: 'Jules Verne',
        year: 1872,
        copies: '1 of 3 on the shelf',
        held: false,
      },
    ],
  });
  expect(await walk.call('book.open', { book: 'around-the-world' })).toMatchObject({
    title: 'Around the World in Eighty Days',
  });
  expect(await walk.call('hold.place')).toEqual({ book: 'around-the-world' });
  expect(await walk.state('library.holds')).toEqual({
    holds: [
      {
        id: 'around-the-world',
        title: 'Around the World in Eighty Days',
        copies: '1 of 3 on the shelf',
      },
    ],
  });
  await walk.goto('/books/around-the-world');
  expect(await walk.summary('library.book')).toEqual({
    book: 'Around the World in Eighty Days by Jules Verne',
    copies: '1 of 3 on the shelf',
    held: true,
  });
  await walk.goto('/catalogue?q=verne');
  expect(await walk.state('library.results')).toMatchObject({ books: [{ held: false }, { held: true }] });
  await walk.call('holds.open');
  await walk.call('hold.cancel', { book: 'around-the-world' });
  expect(await walk.summary('library.holds')).toEqual({ count: 0, titles: [] });
  expect(walk.missed()).toEqual({ selectors: [], tools: [] });
});
