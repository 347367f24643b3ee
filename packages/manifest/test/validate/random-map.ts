import fc from 'fast-check';

/** Random valid maps for property tests. */
const word = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,6}$/)
  .filter((text) => !(text in {}) && text !== 'prototype');
const safeId = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('.'));
const text = fc.string({ maxLength: 20, unit: 'grapheme' }).filter((value) => !value.includes('{%'));
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('proto'));
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const named = (key: 'name' | 'id', rest: Record<string, fc.Arbitrary<unknown>>) =>
  fc.uniqueArray(fc.record({ [key]: safeId, ...rest }, { requiredKeys: [key, ...requiredIn(rest)] }), {
    selector: (part) => part[key],
    maxLength: 4,
  });

const REQUIRED = new Set([
  'description',
  'input_schema',
  'workflow',
  'snapshot',
  'kind',
  'uri',
  'target',
  'lifecycle',
]);
const requiredIn = (rest: Record<string, unknown>): string[] =>
  Object.keys(rest).filter((key) => REQUIRED.has(key));

const selector = fc.constantFrom('#cart', 'button', '[data-a="b"]', 'ul > li');
const target = fc.record(
  { selector, text_contains: text, confidence: fc.constantFrom('observed', 'inferred') },
  { requiredKeys: [] },
);
const schema = fc.constantFrom(
  {},
  { type: 'object' },
  { type: 'object', properties: { a: { type: 'string', pattern: '^a+$' } } },
);
const slot = fc.constantFrom('{% true %}', '{% input.a %}', '{% $count(steps) > 1 %}');

const step = fc.record(
  {
    id: word,
    primitive: safeId,
    args: fc.dictionary(word, fc.oneof(slot, text)),
    when: slot,
    on_error: fc.constantFrom('stop', 'continue'),
  },
  { requiredKeys: ['id', 'primitive'] },
);
const workflow = fc.record({
  version: fc.constant(1),
  expression_language: fc.constant('jsonata'),
  steps: fc.uniqueArray(step, { selector: ({ id }) => id, maxLength: 4 }),
  output: fc.oneof(slot, text),
});
const snapshot = fc.record({
  version: fc.constant(1),
  source: fc.constant('dom'),
  extract: fc.uniqueArray(fc.record({ id: word, selector, many: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 3,
  }),
  projection: fc.record({ language: fc.constant('jsonata'), expression: slot }),
});

export const randomMap: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    protocol: fc.constant('actions.json'),
    version: fc.constant(1),
    tools: named('name', { description: text, input_schema: schema, target, workflow, x_note: json }),
    states: optional(named('name', { diagnostics: fc.array(fc.record({ target }), { maxLength: 2 }) })),
    signals: optional(named('name', { payload: schema })),
    checks: optional(named('id', { severity: fc.constantFrom('info', 'critical') })),
    context: optional(named('id', { title: text, body: text })),
    attachments: optional(named('id', { kind: word, target, lifecycle: fc.constant({}) })),
    state_projections: optional(named('name', { snapshot })),
    x_anything: optional(json),
  })
  .map((map) => JSON.parse(JSON.stringify(map)));

/** Random values for broken maps. */
export const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    '',
    'toString',
    '__proto__',
    '{% ( %}',
    '{% $eval("1") %}',
    '../x',
    [],
    {},
    [null],
    1e308,
    -0,
  ),
);
