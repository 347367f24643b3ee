import { describe, expect, test } from 'vitest';
import { accepts, errorsOf, put, refuses, warningsOf } from '../../test/validate/sample-map.ts';

const WORKFLOW = 'tools.0.workflow';
const STEP = `${WORKFLOW}.steps.2`;
const POINTER = '/tools/0/workflow/steps/2';

const DICTIONARY = {
  primitives: [
    { name: 'locator.element_info', capability_class: 'portable' },
    { name: 'locator.text_content' },
    { name: 'pointer.click', capabilities: ['pointer'] },
    { name: 'viewport.scroll' },
    { name: 'keyboard.press_gated', capability_class: 'debug' },
  ],
};

test('[MAN-43] a postcondition is the name of a projection, or an object with projection and verify', () => {
  accepts(`${WORKFLOW}.postcondition`, [
    undefined,
    'shop.cart',
    { projection: 'shop.cart', verify: '{% true %}' },
    {
      projection: 'shop.cart',
      verify: { language: 'jsonata', expression: '{% true %}' },
      failure_message: 'No.',
    },
  ]);
  refuses(`${WORKFLOW}.postcondition`, [7, [], null], 'wrong_value');
  const pointer = '/tools/0/workflow/postcondition';
  refuses(`${WORKFLOW}.postcondition`, [{ projection: 'shop.cart' }], `missing_field ${pointer}/verify`);
  refuses(`${WORKFLOW}.postcondition`, [{ verify: '{% true %}' }], `missing_field ${pointer}/projection`);
  refuses(`${WORKFLOW}.postcondition.verify`, ['true'], 'expression_expected');
});

test('[MAN-46] a step has a unique id and a primitive, and may have an args object', () => {
  for (const field of ['id', 'primitive']) refuses(`${STEP}.${field}`, [undefined], 'missing_field');
  refuses(`${STEP}.id`, ['find', 'press'], 'duplicate_step');
  accepts(`${STEP}.args`, [undefined, {}, { locator: { selector: 'a' } }]);
  refuses(`${STEP}.args`, ['text', [], 7, null], 'wrong_value');
});

describe('primitives', () => {
  test('[MAN-48] with a dictionary, an unknown primitive is refused', () => {
    expect(errorsOf(put(`${STEP}.primitive`, 'pointer.click'), { dictionary: DICTIONARY })).toEqual([]);
    refuses(`${STEP}.primitive`, ['pointer.clik', 'dom.magic'], 'unknown_primitive', {
      dictionary: DICTIONARY,
    });
    const jsonPointer = `${WORKFLOW}.steps.0.after_each.primitive`;
    refuses(jsonPointer, ['viewport.shake'], 'unknown_primitive', { dictionary: DICTIONARY });
  });

  test('[MAN-49] without a dictionary an unknown primitive passes', () =>
    accepts(`${STEP}.primitive`, ['pointer.clik', 'dom.magic']));

  test('[MAN-21] with a dictionary, an unknown capability in requires is a warning', () => {
    const requires = put('tools.0.requires', ['pointer.click', 'pointer', 'pointers']);
    expect(errorsOf(requires, { dictionary: DICTIONARY })).toEqual([]);
    expect(warningsOf(requires, { dictionary: DICTIONARY })).toEqual([
      'unknown_capability /tools/0/requires/2',
    ]);
    expect(warningsOf(requires)).toEqual([]);
  });

  test('[MAN-61] with a dictionary, a primitive that needs a debugger is refused', () => {
    refuses(`${STEP}.primitive`, ['keyboard.press_gated'], 'debugger_primitive', { dictionary: DICTIONARY });
    accepts(`${STEP}.primitive`, ['keyboard.press_gated']);
  });
});

describe('expressions', () => {
  const PLACES = [
    `${STEP}.args`,
    `${WORKFLOW}.output`,
    `${WORKFLOW}.steps.0.after_each.args`,
    `${WORKFLOW}.steps.1.settle_after.locator`,
  ];

  test('[MAN-50] a text that mixes a slot with other text is refused', () => {
    for (const jsonPointer of PLACES) {
      accepts(jsonPointer, [{ a: '{% input.sku %}' }, { a: { b: ['{% 1 %}', 'plain', '100 %'] } }]);
      const deep = `partial_expression_unsupported /${jsonPointer.replaceAll('.', '/')}/a/b/0`;
      for (const text of ['Hello {% input.name %}', '{% a %}{% b %}', ' {% a %}', '{% a %}!'])
        refuses(jsonPointer, [{ a: { b: [text] } }], deep);
    }
  });

  test('[MAN-51] when, for_each and retry_until are one whole slot', () => {
    for (const field of ['when', 'for_each', 'retry_until']) {
      const bounds = { max_items: 2, max_attempts: 2, for_each: '{% [1] %}', retry_until: '{% true %}' };
      const step = { id: 'read', primitive: 'page.info', ...bounds };
      accepts(STEP, [{ ...step, [field]: '{% true %}' }]);
      for (const text of ['true', 'input.ok', '%}', '{ % true % }'])
        refuses(STEP, [{ ...step, [field]: text }], `expression_expected ${POINTER}/${field}`);
      refuses(
        STEP,
        [{ ...step, [field]: 'x{% true %}' }],
        `partial_expression_unsupported ${POINTER}/${field}`,
      );
    }
  });

  test('[MAN-59] an expression that does not parse is refused at its position', () => {
    for (const text of ['{% a( %}', '{% %}', "{% 'a %}", '{% {1} %}', '{% a b %}'])
      refuses(
        STEP,
        [{ id: 'read', primitive: 'page.info', when: text }],
        `invalid_expression ${POINTER}/when`,
      );
    refuses(`${WORKFLOW}.output`, ['{% ) %}'], 'invalid_expression');
    refuses('state_projections.0.snapshot.projection.expression', ['{% ( %}'], 'invalid_expression');
    refuses('state_projections.0.summaries.0.expression', ['{% ( %}'], 'invalid_expression');
    refuses(`${WORKFLOW}.output`, [`{% ${'('.repeat(8_000)} %}`], 'invalid_expression');
    refuses(`${WORKFLOW}.output`, [`{% '${'a'.repeat(20_000)}' %}`], 'invalid_expression');
  });

  test('[MAN-60] $eval, $random, $now and $millis are refused, however they are reached', () => {
    for (const call of [
      '$eval("1")',
      '$random()',
      '$now()',
      '$millis()',
      '($f := $eval; $f("1"))',
      '[1].$random()',
      '$map([1], $now)',
    ])
      refuses(`${WORKFLOW}.output`, [`{% ${call} %}`], 'disallowed_expression_function');
    accepts(`${WORKFLOW}.output`, ['{% $sum([1, 2]) %}', '{% now %}', "{% '$now()' %}"]);
  });
});

describe('bounds', () => {
  test('[MAN-52] for_each needs max_items within the limit, and max_items needs for_each', () => {
    refuses(`${STEP}.max_items`, [undefined], `unbounded_loop ${POINTER}/for_each`);
    refuses(`${STEP}.for_each`, [undefined], `stray_field ${POINTER}/max_items`);
    accepts(`${STEP}.max_items`, [1, 50]);
    refuses(`${STEP}.max_items`, [51, 1e9], 'limit_exceeded');
    refuses(`${STEP}.max_items`, [0, -1, 1.5, '2'], 'wrong_value');
    refuses(`${STEP}.max_items`, [6], 'limit_exceeded', { limits: { maxLoopItems: 5 } });
  });

  test('[MAN-53] retry_until needs max_attempts within the limit, and max_attempts needs retry_until', () => {
    const step = { id: 'read', primitive: 'page.info' };
    accepts(STEP, [{ ...step, retry_until: '{% true %}', max_attempts: 50 }]);
    refuses(STEP, [{ ...step, retry_until: '{% true %}' }], `unbounded_loop ${POINTER}/retry_until`);
    refuses(STEP, [{ ...step, max_attempts: 2 }], `stray_field ${POINTER}/max_attempts`);
    refuses(
      STEP,
      [{ ...step, retry_until: '{% true %}', max_attempts: 51 }],
      `limit_exceeded ${POINTER}/max_attempts`,
    );
  });

  test('[MAN-54] after_each is one primitive with its args, closed, and requires retry_until', () => {
    const step = { id: 'read', primitive: 'page.info', retry_until: '{% true %}', max_attempts: 2 };
    accepts(STEP, [{ ...step, after_each: { primitive: 'viewport.scroll' } }]);
    refuses(STEP, [{ ...step, after_each: {} }], `missing_field ${POINTER}/after_each/primitive`);
    refuses(
      STEP,
      [{ ...step, after_each: { primitive: 'a', id: 'b' } }],
      `unknown_field ${POINTER}/after_each/id`,
    );
    refuses(STEP, [{ ...step, after_each: [{ primitive: 'a' }] }], `wrong_value ${POINTER}/after_each`);
    const alone = { id: 'read', primitive: 'page.info', after_each: { primitive: 'viewport.scroll' } };
    refuses(STEP, [alone], `stray_field ${POINTER}/after_each`);
  });

  test('[MAN-55] settle_after has exactly one of locator and delay_ms', () => {
    accepts(`${STEP}.settle_after`, [{ delay_ms: 0 }, { locator: { selector: 'a' } }]);
    refuses(`${STEP}.settle_after`, [{}, { locator: {}, delay_ms: 1 }], 'one_of_two');
  });

  test('[MAN-56] settle_after is closed, and state and timeout_ms require locator', () => {
    accepts(`${STEP}.settle_after`, [{ locator: {}, state: 'attached', timeout_ms: 0 }]);
    const pointer = `${POINTER}/settle_after`;
    refuses(`${STEP}.settle_after`, [{ delay_ms: 1, after: 1 }], `unknown_field ${pointer}/after`);
    refuses(`${STEP}.settle_after`, [{ delay_ms: 1, state: 'visible' }], `stray_field ${pointer}/state`);
    refuses(`${STEP}.settle_after`, [{ delay_ms: 1, timeout_ms: 1 }], `stray_field ${pointer}/timeout_ms`);
    refuses(`${STEP}.settle_after`, [{ locator: {}, state: 'hidden' }], `wrong_value ${pointer}/state`);
  });

  test('[MAN-57] on_error is stop or continue', () => {
    accepts(`${STEP}.on_error`, ['stop', 'continue', undefined]);
    refuses(`${STEP}.on_error`, ['ignore', '', true, null], 'wrong_value');
  });

  test('[MAN-58] a workflow has at most 25 steps by default', () => {
    const steps = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `s${index}`, primitive: 'page.info' }));
    accepts(`${WORKFLOW}.steps`, [steps(1), steps(25)]);
    refuses(`${WORKFLOW}.steps`, [steps(26)], 'too_many_steps');
    accepts(`${WORKFLOW}.steps`, [steps(26)], { limits: { maxSteps: 30 } });
  });
});
