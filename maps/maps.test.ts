import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lint, listSite, validate } from '@drawbridge/manifest';
import { describe, expect, test } from 'vitest';
import { readMap } from './test/map-walk.ts';

const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'actions.json')
  .map(dirname);

describe.each(names)('maps/%s', (name) => {
  const text = readFileSync(join(import.meta.dirname, name, 'actions.json'), 'utf8');

  test('is valid without a warning', () => {
    expect(validate(text)).toMatchObject({ ok: true, errors: [], warnings: [] });
  });

  test('gives lint nothing to say, at any severity', () => {
    expect(lint(readMap(name), { text })).toEqual([]);
  });

  test('says of every tool what it does to the world, and proves what it changes', () => {
    const { tools, state_projections: projections = [] } = readMap(name);
    const proven = new Set(projections.flatMap(({ postconditions = {} }) => Object.keys(postconditions)));
    for (const { name: tool, x_actions } of tools) {
      expect([tool, x_actions?.effect]).toEqual([tool, expect.stringMatching(/^(read|act|irreversible)$/)]);
      if (x_actions?.effect !== 'read') expect(proven).toContain(tool);
    }
  });

  test('tells an agent what there is', () => {
    const { actions, state_projections: projections } = listSite(readMap(name));
    expect(actions.length).toBeGreaterThan(0);
    for (const { summaries } of projections) expect(summaries).toContain('agent_context');
  });

  test('is named in the list of maps', () => {
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    expect(readme).toContain(`](${name}/actions.json)`);
  });
});

test('paying in the shop and deleting on the board cannot be undone, and nothing else', () => {
  const final = names.flatMap((name) =>
    readMap(name)
      .tools.filter(({ x_actions }) => x_actions?.effect === 'irreversible')
      .map((tool) => tool.name),
  );
  expect(final.toSorted()).toEqual(['card.delete', 'checkout.buy_on_invoice', 'checkout.pay']);
});
