import { expect, test } from 'vitest';
import { readSlot } from './slot.ts';

test('[MAN-160] a string that is one whole slot is an expression, without the surrounding white space', () => {
  for (const text of ['{% a.b %}', '{%a.b%}', '{%\n  a.b\n%}'])
    expect(readSlot(text)).toEqual({ kind: 'expression', expression: 'a.b' });
});

test('[MAN-160] any other string is text', () => {
  for (const text of [
    '',
    'plain',
    '{ % a % }',
    '{% never closed',
    'never opened %}',
    '%} {%',
    '100 %',
    '{%}',
  ])
    expect(readSlot(text)).toEqual({ kind: 'text' });
});

test('[MAN-50] a slot mixed with other text is neither', () => {
  for (const text of [
    'a {% b %}',
    '{% a %} b',
    ' {% a %}',
    '{% a %}\n',
    '{% a %}{% b %}',
    '{% a %} and {% b %}',
  ])
    expect(readSlot(text)).toEqual({ kind: 'partial' });
});

test('a slot may contain its own marks where JSONata uses them', () => {
  for (const expression of [
    "orders.lines.{'order': %}",
    '"50%}"',
    '"{% %}"',
    'a.b.{%.id: 1}',
    'a ~> |b|{"c": %}| ',
  ])
    expect(readSlot(`{% ${expression} %}`)).toEqual({ kind: 'expression', expression: expression.trim() });
});
