import { describe, expect, test } from 'vitest';
import { PrimitiveDictionary } from '../manifest/primitive.ts';
import { ERROR_CODES } from '../wire/error-codes.ts';
import { asDictionary, HOST_KINDS, misfitOf, PRIMITIVES, primitiveByName, primitivesFor } from './index.ts';

const names = PRIMITIVES.map(({ name }) => name);

test('every primitive is listed once, and found by its name', () => {
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(primitiveByName(name)).toMatchObject({ name });
  for (const name of ['constructor', '__proto__', 'toString', ''])
    expect(primitiveByName(name)).toBeUndefined();
});

describe.each(PRIMITIVES)('$name', ({ input_schema, output_schema, hosts, errors, effect, mutates }) => {
  test('takes an object without unknown fields', () => {
    expect(openObjectsIn(input_schema, 'input')).toEqual([]);
    expect(misfitOf(input_schema, { unheard_of: 1 })).toBeDefined();
    expect(output_schema).toMatchObject({ type: 'object' });
  });

  test('is on a host, fails with our codes, and only an act mutates', () => {
    expect(hosts.length).toBeGreaterThan(0);
    expect(errors.filter((code) => !(code in ERROR_CODES))).toEqual([]);
    if (mutates) expect(effect).toBe('act');
  });
});

/** Paths where a schema allows unknown fields, except in records of a map and free data. */
function openObjectsIn(schema: object, path: string): string[] {
  const properties: unknown = Reflect.get(schema, 'properties');
  const own =
    properties !== undefined && !('additionalProperties' in schema) && !path.includes('entries')
      ? [path]
      : [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? openObjectsIn(value, `${path}.${key}`) : [],
  );
  return [...own, ...inner];
}

test('the table has the form that a map uses', () => {
  expect(misfitOf(PrimitiveDictionary, JSON.parse(JSON.stringify(asDictionary())))).toBeUndefined();
  expect(asDictionary('embed').primitives.map(({ name }) => name)).not.toContain('browser.screenshot');
  expect(asDictionary('cdp').primitives.map(({ name }) => name)).toContain('browser.screenshot');
});

test('[BRG-122] a primitive that needs a debugger is offered on no host', () => {
  for (const host of HOST_KINDS) {
    const offered = primitivesFor(host);
    expect(offered.length).toBeGreaterThan(40);
    expect(offered.filter(({ capability_class }) => capability_class === 'debug')).toEqual([]);
    expect(offered.map(({ name }) => name)).not.toContain('browser.run_javascript');
    expect(offered.map(({ name }) => name)).not.toContain('keyboard.press_gated');
  }
});

test('a host with page script alone has no privileged primitive', () => {
  expect(primitivesFor('embed').filter(({ capability_class }) => capability_class === 'privileged')).toEqual(
    [],
  );
});

test.each(['\r', '\n', '\u0000', 'Control+\r', '\u0085'])(
  '[BRG-128] %j is no key: it would be an Enter without an effect class',
  (key) => {
    const press = primitiveByName('keyboard.press');
    const keys = primitiveByName('element.keys');
    if (press === undefined || keys === undefined) throw new Error('The dictionary has lost its keys.');
    expect(misfitOf(press.input_schema, { key })).toMatchObject({ path: 'key' });
    expect(misfitOf(keys.input_schema, { keys: ['a', key] })).toBeDefined();
    expect(misfitOf(press.input_schema, { key: 'Control+Enter' })).toBeUndefined();
  },
);
