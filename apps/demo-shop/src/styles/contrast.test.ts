import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sheet = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8');

const TEXT = [
  ['ink', 'ground'],
  ['ink', 'surface'],
  ['ink', 'sunken'],
  ['ink', 'tint'],
  ['muted', 'ground'],
  ['muted', 'surface'],
  ['muted', 'sunken'],
  ['accent', 'ground'],
  ['accent', 'surface'],
  ['accent', 'tint'],
  ['on-accent', 'accent'],
  ['good', 'ground'],
  ['bad', 'surface'],
  ['ink', 'bad-tint'],
] as const;

const EDGES = [
  ['edge', 'surface'],
  ['edge', 'ground'],
  ['accent', 'ground'],
] as const;

function colour(name: string, scheme: number): string {
  const found = sheet.match(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`));
  return found?.[scheme + 1] ?? '';
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(['light', 'dark'])('the %s colours reach AA', (scheme) => {
  const at = scheme === 'light' ? 0 : 1;
  const weak = (pairs: typeof TEXT | typeof EDGES, least: number) =>
    pairs.filter(([front, back]) => !(contrast(colour(front, at), colour(back, at)) >= least));
  expect(weak(TEXT, 4.5)).toEqual([]);
  expect(weak(EDGES, 3)).toEqual([]);
});
