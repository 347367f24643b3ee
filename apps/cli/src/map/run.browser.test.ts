import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderMapFile, shopMapFile, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

const run = (...args: string[]) =>
  drawbridge(['map', 'run', shopMapFile(shop.url), ...args, '--headless', '--data', temporaryFolder()]);

const jsonLines = (out: readonly string[]): Record<string, unknown>[] => out.map((line) => JSON.parse(line));

test('[BRG-71] runs a tool on the real page, and prints only its result to standard output', async () => {
  const { code, text, errors } = await run('search.open', '--args', '{"query":"lamp"}');
  expect(JSON.parse(text)).toEqual({ found: '3 products for “lamp”' });
  expect(errors).toContain('text.insert');
  expect(code).toBe(0);
});

test('[BRG-77] wrong arguments: exit code 1, with code and evidence', async () => {
  const { code, out } = await run('search.open', '--args', '{"query":7}', '--json');
  expect(jsonLines(out)).toMatchObject([
    { ok: false, tool: 'search.open', code: 'invalid_input', evidence: { path: 'query' } },
  ]);
  expect(code).toBe(1);
  const words = await run('search.open');
  expect(words.errors).toContain('failed search.open: invalid_input');
  expect(words.code).toBe(1);
});

test('prints steps and items as they come, and accepts a path of the site', async () => {
  const { code, out } = await run(
    'cart.add',
    '--url',
    '/products/dusk-table-lamp',
    '--args',
    '{"quantity":2}',
    '--json',
    '--trace',
  );
  const lines = jsonLines(out);
  expect(lines.at(-1)).toMatchObject({ ok: true, tool: 'cart.add', output: { added: 2 } });
  expect(lines.filter(({ event }) => event === 'step').length).toBeGreaterThan(1);
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: 'item',
      direction: 'in',
      item: expect.objectContaining({ name: 'cart.add' }),
    }),
  );
  expect(code).toBe(0);
});

test('[BRG-128] refuses an irreversible tool without a terminal, and allows it with --yes, visibly', async () => {
  const order = (...more: string[]) =>
    drawbridge([
      ...['map', 'run', orderMapFile(shop.url), 'order.place', '--headless', '--data', temporaryFolder()],
      ...more,
    ]);
  const refused = await order();
  expect(refused.errors).toContain('failed order.place: permission_denied');
  expect(refused.code).toBe(1);
  const allowed = await order('--yes');
  expect(allowed.errors).toContain('Allowed because of --yes: order.place');
  expect(JSON.parse(allowed.text)).toEqual({ ordered: true });
  expect(allowed.code).toBe(0);
});
