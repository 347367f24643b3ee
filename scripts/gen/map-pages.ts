import type { LintRule } from '@drawbridge/manifest';
import type { GeneratedFile } from './file.ts';
import { compactJson } from './json-text.ts';
import { code, link, page, table } from './markdown.ts';
import { isNode } from './schema-node.ts';

const GENERATED = '<!-- Generated from the rules of `packages/manifest` by `npm run gen`. Do not edit. -->';

/** Imported late: the map engine needs the generated checks, which this run may have to write first. */
const loadEngine = () => import('@drawbridge/manifest');

export async function generateMapPages(): Promise<readonly GeneratedFile[]> {
  const { ERRORS, LINT_RULES, WARNINGS } = await loadEngine();
  return [
    { path: 'docs/reference/map-errors.md', text: errorsPage(ERRORS, WARNINGS) },
    { path: 'docs/reference/map-lint.md', text: lintPage(LINT_RULES) },
  ];
}

type Meanings = Readonly<Record<string, string>>;

const errorsPage = (errors: Meanings, warnings: Meanings): string =>
  page([
    GENERATED,
    '# What validating a map can say',
    '`drawbridge map validate FILE…` says all of it at once, each with a JSON pointer, a line and a column. `--json` gives the same to programs. The codes never change their meaning.',
    '## Errors',
    'A map with an error is not valid: nothing of it is offered to an agent.',
    meaningsTable(errors),
    '## Warnings',
    'A map with warnings is valid, but something in it will not do what it seems to.',
    meaningsTable(warnings),
    '## Schemas and patterns inside a map',
    'The JSON Schemas of a map (`input_schema`, `result_schema`, `payload`, `output_schema`) and its regular expressions come from whoever wrote it, and must not be able to hang whoever uses it:',
    [
      '- A `pattern`, a key of `patternProperties` and a `url_matches` run in RE2, in linear time. What RE2 cannot do is refused: look-around, back-references, a repeat above 1,000.',
      '- A `$ref` goes to a place in the same schema (`#`, `#/$defs/name`). One that never ends is refused, and following references is bounded.',
      '- `unevaluatedProperties`, `unevaluatedItems`, `$dynamicRef` and `$recursiveRef` are refused. Other keywords of JSON Schema draft 7 and 2020-12 work; unknown ones are ignored.',
    ].join('\n'),
  ]);

const meaningsTable = (meanings: Meanings): string =>
  table(
    ['code', 'meaning'],
    Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
  );

const lintPage = (rules: readonly LintRule[]): string =>
  page([
    GENERATED,
    '# What lint finds in a map',
    '`drawbridge map lint FILE…` looks in valid maps for what works today and fails tomorrow. `--fail-on SEVERITY` says from which severity on it fails: `info`, `minor`, `major` (the default) or `critical`.',
    table(
      ['finding', 'severity', 'what is wrong'],
      rules.map((rule) => [link(code(rule.code), rule.code), rule.severity, rule.summary]),
    ),
    ...rules.flatMap(ruleBlocks),
  ]);

function ruleBlocks(rule: LintRule): readonly string[] {
  const { path, bad, good } = difference(rule.bad, rule.good, []);
  const location = path.length === 0 ? '' : ` in ${code(path.join('.'))}`;
  return [
    `## ${rule.code}`,
    `${rule.summary} (${rule.severity})`,
    rule.why,
    `Instead of this${location}`,
    json(bad),
    'write',
    json(good),
  ];
}

interface Difference {
  readonly path: readonly string[];
  readonly bad: unknown;
  readonly good: unknown;
}

/** The smallest part that contains every difference of two examples. */
function difference(bad: unknown, good: unknown, path: readonly string[]): Difference {
  const here = { path, bad, good };
  if (!isNode(bad) || !isNode(good)) {
    const alone = Array.isArray(bad) && Array.isArray(good) && bad.length === 1 && good.length === 1;
    return alone ? difference(bad[0], good[0], [...path, '0']) : here;
  }
  const keys = [...new Set([...Object.keys(bad), ...Object.keys(good)])];
  const [key, ...more] = keys.filter((name) => JSON.stringify(bad[name]) !== JSON.stringify(good[name]));
  const inBoth = key !== undefined && more.length === 0 && key in bad && key in good;
  const isText = inBoth && typeof bad[key] !== 'object';
  return inBoth && !isText ? difference(bad[key], good[key], [...path, key]) : here;
}

const EXAMPLE_WIDTH = 96;

const json = (example: unknown): string => ['```json', compactJson(example, EXAMPLE_WIDTH), '```'].join('\n');
