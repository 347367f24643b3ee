import { expect, test } from 'vitest';
import { markdownTexts } from './markdown-texts.ts';
import { sourceTexts } from './source-texts.ts';
import { budgetOf, changesOf, tallyOf } from './tally.ts';

const tallyOfFile = (file: string, text: string, exceptions: Parameters<typeof tallyOf>[2] = []) =>
  tallyOf([file], () => text, exceptions);
const findingsOf = (file: string, text: string) =>
  [...tallyOfFile(file, text).packages.values()].flatMap(({ findings }) =>
    findings.map(({ line, rule }) => `${line} ${rule}`),
  );

test('reports a comment that opens with a pronoun, whatever its case', () => {
  const source = ['/** What a node has. */', 'const a = 1; // it waits', '// Waits for', '// It alone.'].join(
    '\n',
  );
  expect(findingsOf('packages/a/src/a.ts', source)).toEqual(['1 opens with "What"', '2 opens with "it"']);
});

test('reports a later sentence at its own line', () => {
  expect(findingsOf('a/b.ts', '/**\n * Sends it.\n * Of one peer only.\n */')).toEqual(['3 opens with "Of"']);
});

test('reports a test title behind its rule ids', () => {
  const source =
    "test('[CHT-18] what was sent is stored', () => {});\ntest.each([1])('whose turn', () => {});";
  expect(findingsOf('a/b.test.ts', source)).toEqual(['1 opens with "what"', '2 opens with "whose"']);
  expect(findingsOf('a/b.ts', source)).toEqual([]);
});

test('reports sentences in strings and templates of a source, not words or code', () => {
  const source =
    "f('It is gone. Try again.', 'It', `Its folder is \u0024{name}.`, /['\"]It is a regex. Yes./);";
  expect(findingsOf('a/b.ts', source)).toEqual(['1 opens with "It"']);
});

test('reads past regular expressions, nested templates and apostrophes in JSX', () => {
  const source =
    "const a = /[/'`]/.test(b) ? `x \u0024{`y \u0024{'z'} `}` : 1;\nconst c = <p>don't</p>;\n// Who reads this";
  expect(sourceTexts(source, false).filter(({ kind }) => kind === 'comment')).toEqual([
    { kind: 'comment', line: 3, text: 'Who reads this' },
  ]);
});

test('reports banned words once for each', () => {
  expect(findingsOf('docs/a.md', 'The node starts anew, meanwhile the keeper waits.')).toEqual([
    '1 "anew"',
    '1 "meanwhile"',
    '1 "keeper"',
  ]);
});

test('reads headings, list items and table cells of a page, not its code', () => {
  const page =
    '# What it is\n\nText goes\non. It ends.\n\n```sh\nIt is code\n```\n\n- Of one\n\n| a | Who asks |\n';
  expect(markdownTexts(page).map(({ line, text }) => [line, text])).toEqual([
    [1, 'What it is'],
    [3, 'Text goes\non. It ends.'],
    [10, 'Of one'],
    [12, 'a'],
    [12, 'Who asks'],
  ]);
});

test('leaves out an exception, and reports one that fits nothing', () => {
  const exceptions = [
    { file: 'docs/a.md', text: 'What it is', reason: 'a heading people look for' },
    { file: 'docs/a.md', text: 'gone', reason: 'none' },
  ];
  const tally = tallyOfFile('docs/a.md', '# What it is\n\nIts folder.', exceptions);
  expect(budgetOf(tally)).toEqual({ docs: 1 });
  expect(tally.staleExceptions).toEqual([exceptions[1]]);
});

test('compares counts by package with the budget, both ways', () => {
  const tally = tallyOfFile('packages/a/src/a.ts', '// It');
  expect(changesOf(tally, { 'packages/a': 1 })).toEqual([]);
  expect(changesOf(tally, { 'packages/b': 2 })).toEqual([
    { name: 'packages/a', was: 0, is: 1 },
    { name: 'packages/b', was: 2, is: 0 },
  ]);
});
