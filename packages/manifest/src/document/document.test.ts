import { stripTypeScriptTypes } from 'node:module';
import type { Manifest } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomMap } from '../../test/validate/random-map.ts';
import { SHOP } from '../../test/validate/sample-map.ts';
import { validate } from '../validate/validate.ts';
import { document } from './document.ts';
import { typeOf } from './schema-type.ts';
import { types } from './types.ts';

function valid(map: unknown): Manifest {
  const result = validate(map);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result.map;
}

const withTool = (tool: object): Manifest =>
  valid({
    protocol: 'actions.json',
    version: 1,
    tools: [{ name: 'a', description: 'A tool.', input_schema: {}, x_actions: { handler: 'a' }, ...tool }],
  });

/** A map with a key that reaches an object prototype is refused before it is documented. */
const allowedValue = fc.jsonValue().filter((value) => !/__proto__|prototype/.test(JSON.stringify(value)));

describe('the page', () => {
  const page = document(valid(SHOP));

  test('begins with the review points', () => {
    expect(page).toContain('# Shop: what an agent may do');
    expect(page).toContain('- An agent may call 2 tools.');
    expect(page).toContain('The page may speak to the agent through `cart.changed`.');
    expect(page).toContain('1 check will stop every tool');
  });

  test('names irreversible tools', () => {
    const irreversible = document(withTool({ x_actions: { handler: 'a', effect: 'irreversible' } }));
    expect(irreversible).toContain('**Cannot be undone:** `a`. A person is asked each time.');
  });

  test.each([
    ['inputs', '| `sku` | `string` | yes |'],
    ['places', '`[data-add]`, on urls that match `^https://shop\\.example/`, in the state `results_visible`'],
    ['steps', '2. `pointer.click` (press)'],
    ['conditions of steps', 'only when `{% $exists(steps.find.output) %}`'],
    ['proof', 'Proof: reads `shop.cart` afterwards'],
    ['states', '| `cart_open` |'],
    ['checks', '**critical**: stops every tool'],
    ['imports', '| `public-pay` | `https://maps.example/pay.json` | public | `pay.` |'],
  ])('shows %s', (_, words) => expect(page).toContain(words));

  test('text of a map never becomes markup', () => {
    const hostile = document(withTool({ description: '<img src=x> [a](javascript:b) **c** `d` | e\n# f' }));
    expect(hostile).toContain('\\<img src=x\\> \\[a\\](javascript:b) \\*\\*c\\*\\* \\`d\\` \\| e \\# f');
    expect(hostile).not.toMatch(/^# f/m);
  });

  test('every valid map has a page, and always the same one', () => {
    fc.assert(
      fc.property(randomMap, (map) => {
        expect(document(valid(map))).toBe(document(valid(map)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('types', () => {
  test('exist for each callable tool, with a table of all', () => {
    const text = types(valid(SHOP));
    expect(text).toContain(
      'export type CartAddInput = {\n  readonly sku: string;\n  readonly count?: number;\n};',
    );
    expect(text).toContain('"cart.add": { readonly input: CartAddInput; readonly output: CartAddOutput };');
  });

  test('do not exist for tools that agents cannot call', () =>
    expect(types(withTool({ x_actions: { direction: 'html_to_agent' } }))).not.toContain('AInput'));

  test.each<[unknown, string]>([
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: 'a' }, '"a"'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'readonly ("a" | "b")[]'],
    [{ type: 'array' }, 'readonly unknown[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [
      {
        allOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      '{\n  readonly a?: unknown;\n} & {\n  readonly b?: unknown;\n}',
    ],
    [{ type: 'object' }, '{ readonly [key: string]: unknown }'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      { type: 'object', properties: { 'a-b': { type: 'string', description: 'Ends */ here.' } } },
      '{\n  /** Ends * / here. */\n  readonly "a-b"?: string;\n}',
    ],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'string'],
  ])('%j', (schema, expected) => expect(typeOf(schema)).toBe(expected));

  test('a recursive schema terminates', () =>
    expect(typeOf({ type: 'object', properties: { next: { $ref: '#' } } })).toContain('unknown'));

  test('are always valid TypeScript', () => {
    fc.assert(
      fc.property(randomMap, allowedValue, (map, value) => {
        const tool = withTool({
          description: 'Ends */ `here`.',
          input_schema: { type: 'object', properties: { a: { enum: [value] } } },
        });
        for (const text of [types(valid(map)), types(tool)])
          expect(() => stripTypeScriptTypes(text)).not.toThrow();
      }),
      { numRuns: 50 },
    );
  });
});
