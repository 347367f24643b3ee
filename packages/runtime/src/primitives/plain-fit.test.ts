import { misfitOf, PRIMITIVES, primitiveByName } from '@drawbridge/protocol/primitives';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsPlainly } from './plain-fit.ts';

const inputOf = (name: string) => {
  const primitive = primitiveByName(name);
  if (primitive === undefined) throw new Error(`There is no primitive ${name}.`);
  return primitive.input_schema;
};

test('checks common arguments one by one', () => {
  expect(fitsPlainly(inputOf('element.click'), { id: '7' })).toBe(true);
  expect(fitsPlainly(inputOf('element.click'), { id: '7', button: 'right' })).toBe(true);
  expect(fitsPlainly(inputOf('element.fill'), { id: 'f100_7', text: '' })).toBe(true);
});

test.each([
  ['nothing at all', undefined],
  ['a list', ['7']],
  ['a field that is missing', {}],
  ['a field that there is not', { id: '7', toString: 'x' }],
  ['another kind of value', { id: 7 }],
  ['an empty text', { id: '' }],
  ['a text that is too long', { id: 'x'.repeat(257) }],
  ['another word', { id: '7', button: 'upper' }],
])('[BRG-77] %s does not fit', (_, args) => {
  expect(fitsPlainly(inputOf('element.click'), args)).toBe(false);
});

test.each(PRIMITIVES)(
  '[BRG-77] $name: accepts only arguments that fit the whole schema',
  ({ input_schema }) => {
    const names = fc.constantFrom(...Object.keys(input_schema.properties), 'id', 'unheard_of', '__proto__');
    const words = fc.constantFrom(
      '7',
      '',
      'left',
      '🙂',
      '🙂'.repeat(129),
      'x'.repeat(300),
      0,
      1.5,
      true,
      null,
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.oneof(words, fc.jsonValue({ maxDepth: 2 }))), (args) => {
        if (fitsPlainly(input_schema, args)) expect(misfitOf(input_schema, args)).toBeUndefined();
      }),
    );
  },
);
