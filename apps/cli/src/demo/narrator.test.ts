import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge, terminalOf } from '../../test/terminal.ts';
import type { Terminal } from '../command.ts';
import { whatNext } from './closing-summary.ts';
import { createNarrator } from './narrator.ts';

const never = new AbortController().signal;

function narrated(options: { json: boolean; fast: boolean }, looks: Partial<Terminal> = {}) {
  const { terminal, out } = terminalOf('');
  return { out, ...createNarrator(options, { ...terminal, ...looks }, never) };
}

test('indents a sentence below its mark, also in 40 columns', () => {
  const { print, out } = narrated({ json: false, fast: false }, { columns: 40 });
  print('act', {}, 'act', '1. An agent buys a lamp, through the shop’s map');
  print('carted', {}, 'done', 'It puts one Dusk table lamp into the cart of the shop.');
  expect(out).toEqual([
    '',
    '1. An agent buys a lamp, through the',
    'shop’s map',
    '✓ It puts one Dusk table lamp into the',
    '  cart of the shop.',
  ]);
});

test('colours only interactive terminals', () => {
  const { print, out } = narrated({ json: false, fast: false }, { colour: true });
  print('asked', {}, 'wait', 'It asks.');
  expect(out).toEqual(['\u001b[33m?\u001b[0m It asks.']);
});

test('--json prints one object per line, without texts for people', () => {
  const { print, show, out } = narrated({ json: true, fast: false });
  show(['The Drawbridge demo']);
  print('ordered', { order: 'LO-1001' }, 'done', 'The order is placed.');
  expect(out).toEqual(['{"event":"ordered","order":"LO-1001"}']);
});

test('suggestions fit the terminal', () => {
  const { terminal } = terminalOf('');
  for (const columns of [40, 60, 200])
    for (const line of whatNext({ ...terminal, columns })) expect(line.length).toBeLessThanOrEqual(columns);
});

test('without Chromium, shows what to do, and leaves nothing behind', async () => {
  const temporary = temporaryFolder();
  vi.stubEnv('CHROME_PATH', '/no/such/chromium');
  vi.stubEnv('TMPDIR', temporary);
  const { code, out, errors } = await drawbridge(['demo', '--auto', '--json']);
  vi.unstubAllEnvs();
  expect({ code, out, left: readdirSync(temporary) }).toEqual({ code: 1, out: [], left: [] });
  expect(errors).toBe(
    'CHROME_PATH is /no/such/chromium, but no file is there. Point it at a Chromium or Chrome.',
  );
});

test('names an unexpected argument', async () => {
  expect(await drawbridge(['demo', 'shop'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('shop'),
  });
});
