import { describe, expect, test } from 'vitest';
import { checkExpression, MAX_EXPRESSION_CHARS } from './source.ts';

describe('checking an expression', () => {
  test('[MAN-59] an expression that parses is accepted; any other is refused with its position', () => {
    expect(checkExpression('$sum(orders.(price * count))')).toBeUndefined();
    expect(checkExpression('orders[')).toMatchObject({
      code: 'invalid_expression',
      evidence: { reason: 'syntax', position: 7 },
    });
    expect(checkExpression('"open')).toMatchObject({ evidence: { jsonata_code: 'S0101' } });
    expect(checkExpression('/[/')).toMatchObject({ code: 'invalid_expression' });
    expect(checkExpression('')).toMatchObject({ code: 'invalid_expression' });
  });

  test('[MAN-59] deeply nested brackets and a long text are refused without a throw', () => {
    expect(checkExpression('('.repeat(7_900) + ')'.repeat(7_900))?.code).toBe('invalid_expression');
    expect(checkExpression('x'.repeat(MAX_EXPRESSION_CHARS))).toBeUndefined();
    expect(checkExpression('x'.repeat(MAX_EXPRESSION_CHARS + 1))).toMatchObject({
      evidence: { reason: 'too_long' },
    });
  });

  test('[MAN-60] the four banned functions are found wherever they are named', () => {
    for (const name of ['eval', 'random', 'now', 'millis']) {
      const forms = [
        `$${name}()`,
        `a.b[$${name}() > 1]`,
        `($f := $${name}; $f())`,
        `$map([1], $${name})`,
        `x ~> $${name}`,
        `$${name}(?)`,
        `{"a": [1, {"b": $${name}()}]}`,
        `function($x) { $${name}($x) }`,
        `a ? b : $${name}()`,
        `a^(>$${name}())`,
        `$ ~> |a|{"b": $${name}()}|`,
        `$ ~> |a|{}, $${name}()|`,
        `a{$${name}(): 1}`,
      ];
      for (const form of forms) {
        expect(checkExpression(form)).toMatchObject({
          code: 'disallowed_expression_function',
          evidence: { function: `$${name}` },
        });
      }
    }
  });

  test('[MAN-60] a field or a text with such a name is no function', () => {
    for (const expression of [
      'now',
      'order.eval',
      '"$eval(1)"',
      '$nowhere',
      '{"$now": 1}',
      '/* $eval() */ 1',
    ])
      expect(checkExpression(expression)).toBeUndefined();
  });

  test('[MAN-186] a pattern that no linear engine supports is refused before anything runs', () => {
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?<x>a)\\k<x>'])
      expect(checkExpression(`$match(a, /${pattern}/)`)).toMatchObject({
        evidence: { reason: 'unsupported_regex' },
      });
  });
});
