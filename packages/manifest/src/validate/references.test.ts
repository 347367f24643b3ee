import { describe, expect, test } from 'vitest';
import { accepts, errorsOf, put, refuses, SHOP, warningsOf } from '../../test/validate/sample-map.ts';
import { pathFault } from './source-files.ts';

describe('names', () => {
  test('[MAN-90] duplicate names of tools or of signals are refused', () => {
    refuses('tools.2', [{ ...SHOP.tools[1] }], 'duplicate_name /tools/2/name');
    refuses('signals.1', [{ name: 'cart.changed' }], 'duplicate_name /signals/1/name');
    accepts('signals.1', [{ name: 'cart.opened' }]);
  });

  test('[MAN-91] duplicate names of one kind are refused, and names of different kinds do not collide', () => {
    const kinds = {
      states: 'name',
      transitions: 'name',
      state_projections: 'name',
      attachments: 'id',
      checks: 'id',
      imports: 'id',
    } as const;
    for (const [section, key] of Object.entries(kinds)) {
      const list: unknown = Reflect.get(SHOP, section);
      const parts = Array.isArray(list) ? list : [];
      refuses(`${section}.${parts.length}`, [parts[0]], `duplicate_name /${section}/${parts.length}/${key}`);
    }
    accepts('signals.1', [{ name: 'cart.add' }]);
    accepts('states.2', [{ name: 'cart.add' }]);
    accepts('checks.1', [{ id: 'cart_open' }]);
  });
});

describe('execution of a tool', () => {
  const bare = { name: 'cart.clear', description: 'Empty the cart.', input_schema: {} };

  test('[MAN-92] a tool with no handler, no execution.steps and no workflow is refused', () => {
    refuses(
      'tools.2',
      [bare, { ...bare, x_actions: { execution: { steps: [] } } }],
      'not_executable /tools/2',
    );
    accepts('tools.2', [
      { ...bare, x_actions: { handler: 'shop.clear' } },
      { ...bare, x_actions: { execution: { steps: [{ id: 'a', type: 'click' }] } } },
      { ...bare, workflow: { version: 1, expression_language: 'jsonata', steps: [] } },
    ]);
  });

  test('[MAN-93] documentary steps are enough', () => {
    const steps = [{ id: 'a', type: 'click' }];
    accepts('tools.2', [{ ...bare, x_actions: { execution: { mode: 'documentary', steps } } }]);
    refuses(
      'tools.2',
      [{ ...bare, x_actions: { execution: { mode: 'documentary' } } }],
      'not_executable /tools/2',
    );
  });

  test('[MAN-94] a tool with direction html_to_agent needs nothing to execute', () => {
    accepts('tools.2', [{ ...bare, x_actions: { direction: 'html_to_agent' } }]);
    refuses('tools.2', [{ ...bare, x_actions: { direction: 'bidirectional' } }], 'not_executable /tools/2');
  });

  test('[MAN-94] [MAN-100] naming such a tool where an agent or a person would call it is a warning', () => {
    const map = put('tools.1.x_actions.direction', 'html_to_agent');
    expect(warningsOf(map)).toEqual([]);
    for (const jsonPointer of [
      'transitions.0.tool',
      'context.0.available_tools.0',
      'attachments.0.affordance.opens.tool',
    ])
      expect(warningsOf(put(jsonPointer, 'search.submit', map))).toEqual([
        `not_callable /${jsonPointer.replaceAll('.', '/')}`,
      ]);
  });

  test('[MAN-95] a static output alone is refused', () => {
    refuses('tools.2', [{ ...bare, x_actions: { static_output: { ok: true } } }], 'not_executable /tools/2');
    accepts('tools.2', [{ ...bare, x_actions: { static_output: {}, handler: 'shop.clear' } }]);
  });

  test('[MAN-103] a well-formed handler passes without a registry', () =>
    accepts('tools.1.x_actions.handler', ['shop.search', 'nobody.provides.this']));
});

describe('references that are refused', () => {
  test('[MAN-96] a transition from or to an undeclared state', () => {
    for (const end of ['from', 'to']) {
      accepts(`transitions.0.${end}`, ['results_visible', 'cart_open', undefined]);
      refuses(`transitions.0.${end}`, ['results', 'cart.add'], 'unknown_state');
    }
  });

  test('[MAN-97] a check that refers to an unknown tool, state or attachment', () => {
    refuses('checks.0.assertions.2.tool', ['cart.remove', 'toString.constructor'], 'unknown_tool');
    refuses('checks.0.assertions.2.state', ['closed'], 'unknown_state');
    refuses('checks.0.assertions.2.attachment', ['badge'], 'unknown_attachment');
    refuses('checks.0.assertions.0.target.state', ['closed'], 'unknown_state');
    accepts('checks.0.assertions.2.tool', ['search.submit', undefined]);
  });

  test('[MAN-98] an assertion may name a part with a target, and an unknown one is refused', () => {
    accepts('checks.0.assertions.1.target', ['cart.add', 'cart.changed', 'cart-badge']);
    refuses('checks.0.assertions.1.target', ['cart.remove', 'cart_open'], 'unknown_target');
  });

  test('[MAN-99] a name with the namespace of an enabled import is checked by composing', () => {
    accepts('transitions.0.from', ['pay.ready']);
    accepts('checks.0.assertions.2.tool', ['pay.now']);
    accepts('checks.0.assertions.1.target', ['pay.now']);
    refuses('transitions.0.from', ['payment.ready', 'pay'], 'unknown_state');
    const off = put('imports.0.enabled', false);
    expect(errorsOf(put('transitions.0.from', 'pay.ready', off))).toEqual([
      'unknown_state /transitions/0/from',
    ]);
  });

  test('[MAN-101] a postcondition that names an undeclared projection', () => {
    accepts('tools.0.workflow.postcondition', ['shop.cart', 'pay.receipt']);
    refuses('tools.0.workflow.postcondition', ['cart', ''], 'unknown_projection');
    refuses('tools.0.workflow.postcondition.projection', ['cart'], 'unknown_projection');
    refuses(
      'state_projections.0.postconditions',
      [{ 'cart.add': { projection: 'cart', verify: '{% 1 %}' } }],
      'unknown_projection /state_projections/0/postconditions/cart.add/projection',
    );
  });
});

test('[MAN-100] other references to something undeclared are warnings', () => {
  const jsonPointers = [
    ...['transitions.0.tool', 'transitions.0.signal', 'transitions.0.preconditions.0.state'],
    ...['context.0.available_tools.0', 'context.0.next_states.0', 'context.0.load_when.states.0'],
    ...['attachments.0.affordance.opens.tool', 'attachments.0.signals.0', 'tools.0.target.state'],
  ];
  for (const jsonPointer of jsonPointers) {
    const map = put(jsonPointer, 'nowhere');
    expect(errorsOf(map)).toEqual([]);
    expect(warningsOf(map)).toEqual([`undeclared_reference /${jsonPointer.replaceAll('.', '/')}`]);
    expect(warningsOf(put(jsonPointer, 'pay.elsewhere'))).toEqual([]);
  }
  const opens = put('attachments.0.affordance.opens.tool', 'overlay.open');
  const names = [
    'overlay.open',
    'locator.element_info',
    'locator.text_content',
    'pointer.click',
    'viewport.scroll',
  ];
  expect(warningsOf(opens, { dictionary: { primitives: names.map((name) => ({ name })) } })).toEqual([]);
});

test('[MAN-102] source.files may not be absolute or leave the root, in any source', () => {
  const good = ['src/search.ts', './a.ts', 'a/../b.ts', 'a\\b.ts', 'a..b', '...', 'a b.ts', ''];
  const bad = [
    ...[
      '/etc/passwd',
      '\\a',
      '\\\\host\\share',
      'C:\\a',
      'C:a',
      'c:/a',
      '~/a',
      'file:///a',
      'https://a.example/b',
    ],
    ...['..', '../a', 'a/../../b', 'a\\..\\..\\b', './../a', '%2e%2e/a', '.%2E/a', 'a\0b'],
  ];
  for (const path of good) expect({ path, fault: pathFault(path) }).toEqual({ path, fault: undefined });
  for (const path of bad) expect({ path, fault: pathFault(path) }).not.toEqual({ path, fault: undefined });
  for (const holder of [
    '',
    'surface.',
    'tools.1.x_actions.',
    'tools.0.',
    'context.0.',
    'signals.0.',
    'states.0.',
    'checks.0.',
    'provenance.',
  ]) {
    accepts(`${holder}source`, [{ files: good }]);
    const pointer = `/${holder.replaceAll('.', '/')}source/files/1`;
    refuses(
      `${holder}source`,
      [{ files: ['a.ts', '/a.ts'] }, { files: ['a.ts', '../a.ts'] }],
      `unsafe_path ${pointer}`,
    );
  }
});

test('[MAN-210] an unknown lifecycle policy is a warning', () => {
  const map = put('attachments.0.lifecycle.install', 'when_lucky');
  expect(errorsOf(map)).toEqual([]);
  expect(warningsOf(map)).toEqual(['unknown_policy /attachments/0/lifecycle/install']);
  expect(warningsOf(put('attachments.0.lifecycle', {}))).toEqual([]);
});
