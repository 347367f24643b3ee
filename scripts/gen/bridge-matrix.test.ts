import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRIDGE_CODES } from '@drawbridge/protocol/catalog';
import { expect, test } from 'vitest';
import { generateBridgeMatrix } from './bridge-matrix.ts';
import { CODE_ROWS, SELECTOR_ROWS } from './bridge-matrix-cells.ts';

const spec = readFileSync(join(import.meta.dirname, '../../docs/spec/bridge.md'), 'utf8');
const textOf = (rule: string): string => spec.split('\n').find((line) => line.includes(`**${rule}**`)) ?? '';

test('[BRG-75] the sixteen stable codes have a row each', () => {
  expect(CODE_ROWS.map(({ code }) => code).toSorted()).toEqual(Object.keys(BRIDGE_CODES).toSorted());
  expect(CODE_ROWS.length).toBe(16);
});

test.each(CODE_ROWS.flatMap(({ code, rules }) => rules.map((rule) => [code, rule] as const)))(
  '%s is what %s is about',
  (code, rule) => expect(textOf(rule)).toContain(`\`${code}\``),
);

test.each(SELECTOR_ROWS.map(({ selector, rule }) => [selector, rule] as const))(
  '%s is what %s is about',
  (selector, rule) => expect(textOf(rule)).toContain(`\`${selector}\` selects`),
);

test('the page has a mark for every cell', () => {
  const { text } = generateBridgeMatrix();
  expect([...text.matchAll(/ ✓ /g)].length).toBe(16 * 4 + 16 * 4 + 6 * 4);
});
