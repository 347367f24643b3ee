import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFigures } from './compare.ts';
import { documentOf } from './document.ts';
import { figure } from './figure.ts';
import { pageOf } from './page.ts';
import { plotOf } from './plot.ts';
import { figuresOf, trustBenchRecords } from './record.ts';

const docs = (file: string) => readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8');
const records = trustBenchRecords(docs('bench/figures.json'));
const figures = figuresOf(records);

// When this fails, run npm run bench -- --render.
test('the pages and the plot match the figures', () => {
  expect(docs('bench/README.md')).toBe(documentOf(records));
  expect(docs('compare.md')).toBe(withFigures(docs('compare.md'), records));
  expect(docs('bench/figures.svg')).toBe(plotOf(figures));
});

test('the verdicts match the figures', () => {
  for (const { met, ratio, ...each } of figures) {
    expect(figure({ ...each, ratio })).toEqual({ ...each, met, ...(ratio !== undefined && { ratio }) });
  }
});

test('peers are named with the versions that were measured', () => {
  const named = [...docs('compare.md').matchAll(/\[([@\w/-]+)\]\([^)]+\) (\d+\.[\d.]+)/g)];
  const measured = named.filter(([, name = '']) => name in records.peers);
  expect(measured).toHaveLength(3);
  for (const [, name = '', version] of measured) expect(records.peers[name]).toBe(version);
});

test('no figure appears twice, and the page names every headline', () => {
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
  const page = pageOf(records);
  for (const { headline } of figures) if (headline !== undefined) expect(page).toContain(headline);
});

test('the text of a headline fits beside the bars of the plot', () => {
  for (const { headline = '' } of figures) expect(headline.length).toBeLessThanOrEqual(60);
});

test('no page reveals whose machine was measured', () => {
  expect(docs('bench/figures.json')).not.toMatch(/\/(tmp|home|root|work|Users)\//);
});

test('the plot is well-formed for any text', () => {
  const worded = figures.map((each) => ({ ...each, headline: 'a < b & "c" > d' }));
  for (const svg of [plotOf(figures), plotOf(worded)]) expect(faultIn(svg)).toBeUndefined();
});

test('the check of the plot finds malformed SVG', () => {
  const wrong = [
    '<svg><g></svg>',
    '<svg><text>a & b</text></svg>',
    '<svg x=1></svg>',
    '<svg></svg><svg></svg>',
  ];
  for (const svg of wrong) expect(faultIn(svg)).toBeDefined();
});

const TAG = /^<(\/?)([\w-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>$/;

/** Checks https://www.w3.org/TR/xml/#sec-well-formed for documents of tags, attributes and text only. */
function faultIn(svg: string): string | undefined {
  const open: string[] = [];
  let roots = 0;
  for (const part of svg.trim().match(/<[^>]*>|[^<]+/g) ?? []) {
    if (!part.startsWith('<')) {
      if (/&(?!(?:amp|lt|gt);)|>/.test(part)) return `a bare character in “${part}”`;
      continue;
    }
    const [, closes, name = '', , isEmpty] = TAG.exec(part) ?? [];
    if (name === '') return `no tag: ${part}`;
    if (closes) {
      if (open.pop() !== name) return `</${name}> closes nothing`;
    } else {
      if (open.length === 0) roots += 1;
      if (!isEmpty) open.push(name);
    }
  }
  return open.length > 0 ? `<${open.at(-1)}> stays open` : roots === 1 ? undefined : `${roots} roots`;
}
