import { migrate } from '@drawbridge/manifest';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { openPage, type Sites, startSites } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWalk } from './test/map-walk.ts';

let sites: Sites;
const evaluator = createWorkerEvaluator({ maxMs: 5000 });
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => Promise.all([sites.close(), evaluator.close()]));

/** A draft that says where it applies, as public maps do. */
const draft = (url_matches: string) => ({
  protocol: 'actions.json',
  version: '0.1.0-working',
  scope: { url_matches },
  tools: [
    {
      name: 'card.add',
      description: 'Add a card.',
      input_schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        x_state_machine: { states: ['readiness', 'mutation'] },
        steps: [
          {
            id: 'type',
            primitive: 'text.insert',
            args: { text: '{% input.title %}', target: { selector: '#title' }, mode: 'replace' },
          },
          {
            id: 'find',
            primitive: 'locator.element_info',
            args: { locator: { selector: "[data-testid='add-card']" } },
          },
          {
            id: 'press',
            primitive: 'pointer.click',
            args: {
              x: '{% steps.find.output.clickable_center.x %}',
              y: '{% steps.find.output.clickable_center.y %}',
            },
          },
          {
            id: 'verify',
            primitive: 'locator.wait_for',
            args: { locator: { selector: '.card', text_contains: '{% input.title %}' } },
          },
        ],
      },
    },
  ],
});

test('[MAN-232] a migrated draft runs on its pages, and touches nothing on others', async () => {
  await using opened = await openPage({ baseURL: sites.boardUrl });
  const { page } = opened;
  const walkFor = async (url_matches: string) => {
    const { validation } = migrate(JSON.stringify(draft(url_matches)));
    if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
    const walk = await startWalk(validation.map, page, evaluator);
    await walk.goto('/');
    return walk;
  };
  const elsewhere = await walkFor(`${sites.boardUrl}/archive/*`);
  const cards = await page.locator('.card').count();
  await expect(elsewhere.call('card.add', { title: 'Rake' })).rejects.toMatchObject({
    code: 'state_mismatch',
  });
  expect(await page.locator('#title').inputValue()).toBe('');
  expect(await page.locator('.card').count()).toBe(cards);

  const here = await walkFor(`${sites.boardUrl}/*`);
  await here.call('card.add', { title: 'Rake' });
  expect(await page.locator('.card').count()).toBe(cards + 1);
});
