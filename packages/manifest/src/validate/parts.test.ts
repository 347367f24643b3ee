import { expect, test } from 'vitest';
import { accepts, errorsOf, put, refuses, warningsOf } from '../../test/validate/sample-map.ts';
import { directionOf, ingestionOf, isCallable, isEnabled, scopeOf, severityOf, trustOf } from './defaults.ts';

const ACTIONS = 'tools.1.x_actions';

test('[MAN-13] an import without trust has trust unknown', () => {
  accepts('imports.0.trust', [undefined]);
  const source = { id: 'pay', kind: 'public', uri: 'https://maps.example/pay.json' } as const;
  expect(trustOf(source)).toBe('unknown');
  expect(trustOf({ ...source, trust: 'shared' })).toBe('shared');
});

test('[MAN-14] an import may have a safe namespace, provenance and enabled, true by default', () => {
  accepts('imports.0.namespace', ['pay', 'shop.pay']);
  refuses('imports.0.namespace', ['a b', '', 'é'], 'unsafe_identifier');
  refuses('imports.0.namespace', [7, null], 'wrong_value');
  accepts('imports.0.provenance', [{}, { revision: '7' }]);
  refuses('imports.0.provenance', ['text', []], 'wrong_value');
  accepts('imports.0.enabled', [true, false]);
  refuses('imports.0.enabled', ['true', 1], 'wrong_value');
  const source = { id: 'pay', kind: 'public', uri: 'https://maps.example/pay.json' } as const;
  expect(isEnabled(source)).toBe(true);
  expect(isEnabled({ ...source, enabled: false })).toBe(false);
});

test('[MAN-16] with namespace_required an import without a namespace is refused', () => {
  refuses('imports.0.namespace', [undefined], 'missing_namespace');
  accepts('composition', [undefined, {}, { namespace_required: false }]);
  expect(errorsOf(put('imports.0.namespace', undefined, put('composition', {})))).toEqual([]);
});

test('[MAN-17] a context block has a unique safe id', () => {
  refuses('context.0.id', [undefined], 'missing_field');
  refuses('context.0.id', ['search context', '1'], 'unsafe_identifier');
  refuses('context.1', [{ id: 'search.context' }], 'duplicate_name /context/1/id');
  accepts('context.1', [{ id: 'cart.context' }]);
});

test('[MAN-18] a context block may have texts, lists of names, hints and load_when', () => {
  for (const field of ['title', 'body']) refuses(`context.0.${field}`, [7, ['text']], 'wrong_value');
  for (const field of ['available_tools', 'next_states'])
    refuses(`context.0.${field}`, ['text', {}], 'wrong_value');
  accepts('context.0.source', [{ notes: 'anything' }]);
  accepts('context.0.load_when', [
    {},
    { states: ['cart_open'], url_contains: '/cart', url_matches: '/cart$' },
    { targets: ['cart.add', { selector: '#cart' }] },
  ]);
  refuses('context.0.load_when', ['always', []], 'wrong_value');
  refuses('context.0.load_when.states', ['cart_open', 7], 'wrong_value');
  refuses('context.0.load_when.url_contains', [7, ['/cart']], 'wrong_value');
});

test('[MAN-22] a schema that cannot be applied is refused at its position', () => {
  const jsonPointers = [
    'tools.0.input_schema',
    'tools.0.x_actions.result_schema',
    'signals.0.payload',
    'state_projections.0.snapshot.output_schema',
  ];
  for (const jsonPointer of jsonPointers) {
    accepts(jsonPointer, [
      {},
      { type: 'object' },
      { type: ['object', 'null'] },
      { $ref: '#/$defs/a', $defs: { a: {} } },
    ]);
    const pointer = `/${jsonPointer.replaceAll('.', '/')}`;
    refuses(jsonPointer, [[], 'object', true, 7], 'invalid_schema');
    refuses(jsonPointer, [{ type: 'text' }], `invalid_schema ${pointer}/type`);
    refuses(
      jsonPointer,
      [{ properties: { a: { required: 'b' } } }],
      `invalid_schema ${pointer}/properties/a/required`,
    );
    refuses(jsonPointer, [{ anyOf: [{}, { minimum: 'x' }] }], `invalid_schema ${pointer}/anyOf/1/minimum`);
    refuses(jsonPointer, [{ $ref: '#/$defs/none' }], `invalid_schema ${pointer}/$ref`);
    refuses(
      jsonPointer,
      [{ pattern: '(a+)+\\1' }, { pattern: '(?=a)' }],
      `unsafe_pattern ${pointer}/pattern`,
    );
  }
});

test('[MAN-23] direction is one of three, and agent_to_html by default', () => {
  accepts(`${ACTIONS}.direction`, ['agent_to_html', 'html_to_agent', 'bidirectional', undefined]);
  refuses(`${ACTIONS}.direction`, ['both', '', 7, null], 'wrong_value');
  const tool = { name: 'a', description: 'A tool.', input_schema: {} };
  expect(directionOf(tool)).toBe('agent_to_html');
  expect(isCallable(tool)).toBe(true);
  expect(isCallable({ ...tool, x_actions: { direction: 'html_to_agent' } })).toBe(false);
});

test('[MAN-26] a tool without scope is active_surface', () => {
  const tool = { name: 'a', description: 'A tool.', input_schema: {} };
  expect(scopeOf(tool)).toBe('active_surface');
  expect(scopeOf({ ...tool, x_actions: { scope: 'persistent' } })).toBe('persistent');
});

test('[MAN-27] source contains hints: any value is accepted and ignored', () => {
  accepts(`${ACTIONS}.source`, [{}, { files: ['a.ts'], component: 'Search', line: 7 }, { code: 'alert(1)' }]);
  refuses(`${ACTIONS}.source`, [{ files: ['/etc/passwd'] }], `unsafe_path /tools/1/x_actions/source/files/0`);
});

test('[MAN-28] execution may have mode and steps, each with an id and a type', () => {
  accepts(`${ACTIONS}.execution`, [undefined, {}, { mode: 'documentary' }, { steps: [] }]);
  accepts(`${ACTIONS}.execution.steps.0`, [
    { id: 'a', type: 'click' },
    { id: 'a', type: 'type', target: {}, value_from: 'q' },
  ]);
  refuses(`${ACTIONS}.execution.steps.0.id`, [undefined], 'missing_field');
  refuses(`${ACTIONS}.execution.steps.0.type`, [undefined], 'missing_field');
  refuses(`${ACTIONS}.execution.steps.0.type`, [7, ''], 'wrong_value');
  refuses(`${ACTIONS}.execution.steps.0.target`, ['input', []], 'wrong_value');
  refuses(`${ACTIONS}.execution.steps.0.value_from`, [7], 'wrong_value');
  refuses(
    `${ACTIONS}.execution.steps.1`,
    [{ id: 'type', type: 'click' }],
    'duplicate_step /tools/1/x_actions/execution/steps/1/id',
  );
});

test('[MAN-29] another execution.mode is accepted with a warning', () => {
  for (const mode of ['steps_first', 'handler_first', 'documentary', 'test_only', undefined])
    expect(warningsOf(put(`${ACTIONS}.execution.mode`, mode))).toEqual([]);
  accepts(`${ACTIONS}.execution.mode`, ['steps_only']);
  expect(warningsOf(put(`${ACTIONS}.execution.mode`, 'steps_only'))).toEqual([
    'unknown_mode /tools/1/x_actions/execution/mode',
  ]);
});

test('[MAN-35] url_matches is a pattern for a linear-time engine', () => {
  for (const jsonPointer of [
    'tools.0.target',
    'attachments.0.target',
    'context.0.load_when',
    'checks.0.assertions.0.target',
  ]) {
    accepts(`${jsonPointer}.url_matches`, ['/cart', '^https://shop\\.example/(a|b)+$']);
    refuses(`${jsonPointer}.url_matches`, ['(', '(?=cart)', '(a)\\1', '*cart'], 'unsafe_pattern');
  }
});

test('[MAN-36] tools, signals, attachments, diagnostics, steps and assertions share one target shape', () => {
  const jsonPointers = [
    'tools.0.target',
    'signals.0.target',
    'attachments.0.target',
    'states.0.diagnostics.0.target',
    'checks.0.assertions.0.target',
    `${ACTIONS}.execution.steps.0.target`,
  ];
  for (const jsonPointer of jsonPointers) {
    accepts(jsonPointer, [
      { selector: ['#cart', '.cart'], role: 'button', name: 'Cart', confidence: 'observed' },
    ]);
    refuses(`${jsonPointer}.selector`, [7, {}, null], 'invalid_selector');
    refuses(`${jsonPointer}.confidence`, ['certain'], 'wrong_value');
  }
});

test('[MAN-77] a signal without ingestion is disabled by default', () => {
  accepts('signals.0.ingestion', [undefined]);
  expect(ingestionOf({ name: 'cart.changed' })).toBe('disabled_by_default');
  expect(ingestionOf({ name: 'cart.changed', ingestion: 'enabled' })).toBe('enabled');
});

test('[MAN-78] an enabled signal requires event', () => {
  refuses('signals.0.event', [undefined], 'missing_event');
  expect(errorsOf(put('signals.0', { name: 'cart.changed', ingestion: 'disabled_by_default' }))).toEqual([]);
});

test('[MAN-83] a check without severity is major', () => {
  accepts('checks.0.severity', [undefined]);
  expect(severityOf({ id: 'a' })).toBe('major');
  expect(severityOf({ id: 'a', severity: 'info' })).toBe('info');
});

test('[MAN-84] an assertion names a target, tool, state or attachment; on_fail sets evidence and contingency', () => {
  accepts('checks.0.assertions.0', [
    {},
    { target: { selector: 'form' }, visible: false },
    { state: 'cart_open' },
  ]);
  refuses('checks.0.assertions.0.visible', ['true', 1], 'wrong_value');
  for (const field of ['tool', 'state', 'attachment'])
    refuses(`checks.0.assertions.2.${field}`, [7, {}], 'wrong_value');
  accepts('checks.0.on_fail', [{}, { store_evidence: [], contingency: 'stop' }]);
  refuses('checks.0.on_fail.store_evidence', ['url'], 'wrong_value');
  refuses('checks.0.on_fail.contingency', [7], 'wrong_value');
});

test('[MAN-86] private details in provenance are a warning in a public map only', () => {
  const private_ = [
    ['created_by', 'ada@shop.example'],
    ['updated_by', '@ada'],
    ['source', '/home/ada/maps/shop'],
    ['source', 'C:\\Users\\ada\\shop'],
    ['source', 'git@git.shop.example:web/maps.git'],
    ['source', 'https://ada:pass@git.example/maps'],
    ['source', 'https://git.example/maps?access_token=1'],
    ['source', 'https://wiki.corp/maps'],
    ['source', 'http://192.168.0.7/maps'],
  ] as const;
  for (const [field, value] of private_) {
    const map = put(`provenance.${field}`, value);
    expect(errorsOf(map)).toEqual([]);
    expect(warningsOf(map)).toEqual([`private_provenance /provenance/${field}`]);
    expect(warningsOf(map, { audience: 'private' })).toEqual([]);
  }
  for (const value of ['the shop', 'https://github.com/shop/maps', '2026-06-01', 'by hand at 10:00'])
    expect(warningsOf(put('provenance.source', value))).toEqual([]);
});

test('[MAN-89] a name, id or handler with an inherited property name as a segment is refused', () => {
  const names = ['toString', 'constructor', 'prototype', 'cart.valueOf', 'hasOwnProperty.x'];
  const jsonPointers = [
    ...[
      'tools.1.name',
      `${ACTIONS}.handler`,
      'states.1.name',
      'transitions.0.name',
      'checks.0.id',
      'imports.0.id',
    ],
    ...[
      'context.0.id',
      'attachments.0.id',
      'signals.0.name',
      'state_projections.0.name',
      'imports.0.namespace',
    ],
  ];
  for (const jsonPointer of jsonPointers)
    for (const name of names)
      expect(errorsOf(put(jsonPointer, name))).toContain(
        `reserved_name /${jsonPointer.replaceAll('.', '/')}`,
      );
  expect(errorsOf(put('tools.0.workflow.steps.2.id', 'constructor'))).toEqual([
    'reserved_name /tools/0/workflow/steps/2/id',
  ]);
  accepts('tools.1.name', ['constructors.list', 'to_string', 'proto']);
});
