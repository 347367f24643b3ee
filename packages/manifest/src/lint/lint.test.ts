import { describe, expect, test } from 'vitest';
import { SHOP } from '../../test/validate/sample-map.ts';
import { validate } from '../validate/validate.ts';
import { LINT_RULES, lint } from './lint.ts';
import { exampleMap, isAtLeast, SEVERITIES } from './rule.ts';

/** Codes of existing map linters, and the one for provenance. */
const EXPECTED = [
  'broad_selector',
  'missing_postcondition',
  'weak_postcondition',
  'missing_overlay_invariant',
  'missing_required_state_assertion',
  'prose_precondition_without_state_assertion',
  'brittle_viewport_geometry',
  'ambient_text_insert',
  'ambiguous_editable_target',
  'retry_condition_mismatch',
  'missing_mutation_readiness',
  'missing_declared_file',
  'container_bound_control',
  'unknown_primitive_output_field',
  'settle_after_asserts_goal_not_surface',
  'fallbacks_share_a_dead_scope',
  'self_skipping_mutation',
  'disarmed_retry_loop',
  'unsupported_hidden_state',
  'inverted_absence_check',
  'private_provenance',
];

test('every expected code has exactly one rule', () => {
  const codes = LINT_RULES.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(EXPECTED));
  expect(new Set(codes).size).toBe(codes.length);
});

describe.each(LINT_RULES)('$code', ({ code, bad, good }) => {
  const codesIn = (example: typeof bad) => lint(exampleMap(example)).map((problem) => problem.code);

  test('both examples are valid maps', () => {
    expect(validate(exampleMap(bad)).errors).toEqual([]);
    expect(validate(exampleMap(good)).errors).toEqual([]);
  });

  test('the bad example has the finding', () => expect(codesIn(bad)).toContain(code));

  test('the good example does not', () => expect(codesIn(good)).not.toContain(code));
});

test('a finding has a severity, a position and a message', () => {
  const map = exampleMap(LINT_RULES.find(({ code }) => code === 'brittle_viewport_geometry')?.bad ?? {});
  expect(lint(map).filter(({ code }) => code === 'brittle_viewport_geometry')).toEqual([
    {
      code: 'brittle_viewport_geometry',
      severity: 'major',
      pointer: '/tools/0/workflow/steps/1/args',
      line: 28,
      column: 21,
      message:
        'tool `cart.add`, step `press`: args points at fixed coordinates; take them from a step that finds the element.',
    },
  ]);
});

test('the sample map has no finding above minor', () => {
  const result = validate(SHOP);
  const findings = result.ok ? lint(result.map) : [];
  expect(findings.filter(({ severity }) => isAtLeast(severity, 'major'))).toEqual([]);
});

test.each([
  ['no schema beyond its type', {}, ['']],
  ['a schema for further fields', { additionalProperties: { type: 'string' } }, ['']],
  ['names by pattern', { additionalProperties: false, patternProperties: { '^x': {} } }, ['']],
  [
    'an open object inside',
    {
      additionalProperties: false,
      properties: { to: { type: 'object' }, items: { type: 'array', items: { properties: {} } } },
    },
    ['/properties/to', '/properties/items/items'],
  ],
  ['an open alternative', { additionalProperties: false, oneOf: [{ type: 'object' }] }, ['/oneOf/0']],
  ['all closed', { additionalProperties: false, properties: { note: { type: 'string' } } }, []],
])('finding 8: a tool that cannot be undone with %s', (_, schema, places) => {
  const [tool] = LINT_RULES.find(({ code }) => code === 'open_irreversible_input')?.bad.tools ?? [];
  if (tool === undefined) throw new Error('The rule has no example.');
  const map = exampleMap({ tools: [{ ...tool, input_schema: { type: 'object', ...schema } }] });
  const found = lint(map).filter(({ code }) => code === 'open_irreversible_input');
  expect(found.map(({ pointer }) => pointer)).toEqual(places.map((place) => `/tools/0/input_schema${place}`));
});

test('severities are in order', () => {
  for (const [index, severity] of SEVERITIES.entries())
    for (const [floor, other] of SEVERITIES.entries())
      expect(isAtLeast(severity, other)).toBe(index >= floor);
});

test('a declared file that is missing is reported when the host can check', () => {
  const map = exampleMap({
    x_actions: {
      files: [
        { id: 'a', path: 'a.json' },
        { id: 'b', path: 'b.json' },
      ],
    },
  });
  expect(lint(map)).toEqual([]);
  expect(lint(map, { fileExists: (path) => path === 'a.json' })).toMatchObject([
    { code: 'missing_declared_file', pointer: '/x_actions/files/1/path' },
  ]);
});
