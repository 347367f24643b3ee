import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { fileWith } from '../../test/map/sample-maps.ts';
import { drawbridge } from '../../test/terminal.ts';

const BUTTONS = new Map([
  ['/', '<button id="buy" type="button">Buy now</button>'],
  ['/changed', '<button class="primary" data-testid="buy-now" type="button">Buy now</button>'],
]);

const server = createServer((request, response) => {
  const body = BUTTONS.get(request.url ?? '') ?? '';
  response
    .setHeader('content-type', 'text/html')
    .end(`<!doctype html><title>Shop</title><h1>Lamp</h1>${body}`);
});
let origin = '';
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterAll(() => server.close());

const mapOf = (site: string) =>
  JSON.stringify({
    protocol: 'actions.json',
    version: 1,
    surface: { origin: site, name: 'Shop' },
    tools: [
      {
        name: 'lamp.buy',
        description: 'Buy the lamp.',
        input_schema: { type: 'object' },
        target: { selector: '#buy', role: 'button', name: 'Buy now' },
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [{ id: 'there', primitive: 'locator.wait_for', args: { locator: { selector: '#buy' } } }],
        },
      },
    ],
  });

const check = (...args: string[]) =>
  drawbridge(['map', 'check', fileWith(mapOf(origin)), '--headless', '--data', temporaryFolder(), ...args]);

test('a matching map: exit code 0', async () => {
  const { code, text } = await check();
  expect(text).toContain('the map fits');
  expect(code).toBe(0);
});

test('a changed page: exit code 1, with suggested replacements', async () => {
  const { code, out } = await check('--url', '/changed', '--json');
  expect(out).toHaveLength(1);
  const report: { parts: { part: string; status: string; repairs: object[] }[] } = JSON.parse(out[0] ?? '');
  expect(report).toMatchObject({
    ok: false,
    url: `${origin}/changed`,
    file: expect.stringContaining('actions.json'),
  });
  expect(report.parts.find(({ part }) => part === 'tool lamp.buy')).toMatchObject({
    status: 'missing',
    repairs: [expect.objectContaining({ name: 'Buy now', selector: expect.stringContaining('buy-now') })],
  });
  expect(code).toBe(1);
});
