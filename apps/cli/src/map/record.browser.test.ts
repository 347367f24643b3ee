import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lint, validate } from '@drawbridge/manifest';
import type { SurfaceHost } from '@drawbridge/runtime';
import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { terminalOf } from '../../test/terminal.ts';
import { createMapRecord } from './record.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

/** Records manual actions in the shop, with real keyboard input. */
async function record(args: readonly string[], doIt: (host: SurfaceHost) => Promise<void>, path = '') {
  const { terminal, out, errors } = terminalOf('');
  const command = createMapRecord((_, host) => doIt(host));
  const code = await command.run(
    [...args, '--url', `${shop.url}${path}`, '--headless', '--data', temporaryFolder(), '--json'],
    terminal,
  );
  const lines: Record<string, unknown>[] = out.map((line) => JSON.parse(line));
  return { code, lines, errors };
}

async function searchFor(words: string, { input, callPage, onEvent }: SurfaceHost): Promise<void> {
  await callPage('dom.focus', [{ locator: { selector: '#find' } }]);
  await input?.insertText(words);
  const loaded = new Promise<void>((resolve) => {
    const stop = onEvent(({ kind, ...event }) => {
      if (kind !== 'ready' || !('url' in event) || !event.url.includes('/search')) return;
      stop();
      resolve();
    });
  });
  await input?.keys('Enter');
  await loaded;
  await callPage('locator.wait_for', [
    {
      locator: { selector: '#search [role=status]', text_contains: words },
      state: 'visible',
      timeout_ms: 10_000,
    },
  ]);
}

async function addToCart({ input, callPage }: SurfaceHost): Promise<void> {
  const locator = { role: 'button', name: 'Add to cart' };
  const found = await callPage('locator.element_info', [{ locator }]);
  const { clickable_center: at } = found as { clickable_center: { x: number; y: number } };
  await input?.press({ ...at, button: 'left', count: 1, modifiers: [] });
  const told = { selector: '[role=status]', text_contains: 'is in your cart' };
  await callPage('locator.wait_for', [{ locator: told, state: 'visible', timeout_ms: 10_000 }]);
}

test('a recorded tool repeats the actions without a model', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'actions.json');
  const { code, lines } = await record([file, '--name', 'search.open', '--replay'], (tab) =>
    searchFor('lamp', tab),
  );
  expect(lines.filter(({ event }) => event === 'step')).toMatchObject([{ kind: 'type' }, { kind: 'press' }]);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'written', tool: 'search.open', file, replaced: false }),
  );
  expect(lines.at(-1)).toEqual({ event: 'replayed', ok: true, output: { shown: '3 products for “lamp”' } });
  expect(code).toBe(0);

  const text = readFileSync(file, 'utf8');
  const result = validate(text);
  expect(result).toMatchObject({ ok: true, errors: [], warnings: [] });
  if (result.ok) expect(lint(result.map, { text })).toEqual([]);
  expect(JSON.parse(readFileSync(join(folder, 'search.open.walk.json'), 'utf8'))).toMatchObject({
    walk: 1,
    start: '/',
    calls: [{ tool: 'search.open', input: { query: 'lamp' } }],
  });
});

test('a recorded press is one step on its locator, and presses again', async () => {
  const file = join(temporaryFolder(), 'actions.json');
  const product = '/products/dusk-table-lamp';
  const { code, lines } = await record([file, '--name', 'lamp.buy', '--replay'], addToCart, product);
  expect(lines.at(-1)).toMatchObject({ event: 'replayed', ok: true });
  expect(code).toBe(0);
  const result = validate(readFileSync(file, 'utf8'));
  const steps = result.ok ? (result.map.tools[0]?.workflow?.steps ?? []) : [];
  const clicks = steps.filter(({ primitive }) => /click|element_info/.test(primitive));
  expect(clicks).toMatchObject([
    { primitive: 'element.click', args: { locator: { selector: expect.any(String) } } },
  ]);
});

test('writes nothing if nothing was done', async () => {
  const file = join(temporaryFolder(), 'actions.json');
  await expect(record([file], async () => {})).rejects.toThrow('nothing is written');
  expect(existsSync(file)).toBe(false);
});
