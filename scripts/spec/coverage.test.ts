import { expect, test } from 'vitest';
import { coverageOf, summarise } from './coverage.ts';
import { readDocument } from './rules.ts';

const markdown =
  '# Doors\n\n- **DOR-01** A door opens.\n- **DOR-02** (ours) A door closes.\n- **DOR-03** It locks.\n';
const doors = readDocument('doors', markdown);

test('a rule has an id, a text and an origin', () => {
  expect(doors.rules[1]).toEqual({ id: 'DOR-02', text: 'A door closes.', ours: true });
});

test('refuses a skipped number and a list item that is no rule', () => {
  expect(() => readDocument('doors', '- **DOR-02** A door opens.')).toThrow('out of order');
  expect(() => readDocument('doors', '- A door opens.')).toThrow('not a rule');
});

test('a rule is shown by a passing test that names it', () => {
  const { documents } = coverageOf([doors], [{ title: '[DOR-01][DOR-03] doors', status: 'passed' }]);
  expect(documents[0]).toMatchObject({ rules: 3, shown: 2, open: [{ id: 'DOR-02' }] });
});

test('a rule stays open if any test that names it failed or was skipped', () => {
  for (const status of ['failed', 'skipped'] as const) {
    const tests = [
      { title: '[DOR-01] opens', status: 'passed' as const },
      { title: '[DOR-01] opens again', status },
    ];
    expect(coverageOf([doors], tests).documents[0]?.shown).toBe(0);
  }
});

test('reports a test that names an unknown rule', () => {
  const { unknown } = coverageOf([doors], [{ title: '[DOR-09] flies', status: 'passed' }]);
  expect(unknown).toEqual([{ id: 'DOR-09', title: '[DOR-09] flies' }]);
});

test('open rules are listed as ranges', () => {
  expect(summarise(doors.rules)).toBe('DOR-01 … DOR-03');
  expect(summarise(doors.rules.filter(({ id }) => id !== 'DOR-02'))).toBe('DOR-01, DOR-03');
});
