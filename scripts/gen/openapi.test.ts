import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { readInputs } from './inputs.ts';
import { openApiDocument } from './openapi.ts';
import { isNode, walk } from './schema-node.ts';

const document = openApiDocument(readInputs(join(import.meta.dirname, '../..')));

/** The validator changes its input, so it gets a copy. */
async function errorsIn(text: string): Promise<unknown> {
  const result = await new Validator().validate(JSON.parse(text));
  return result.errors;
}

describe('the validator of the official schema', () => {
  test('accepts the document', async () => {
    expect(await errorsIn(JSON.stringify(document))).toBeUndefined();
  });

  test('refuses a document without a version', async () => {
    const broken = JSON.stringify({ ...document, info: { title: 'Drawbridge' } });
    expect(await errorsIn(broken)).toMatchObject([{ instancePath: '/info', keyword: 'required' }]);
  });

  test('refuses a reference to an unknown schema', async () => {
    const broken = JSON.stringify(document).replace('schemas/TabSession"', 'schemas/NoSession"');
    expect(await errorsIn(broken)).toBe("Can't resolve #/components/schemas/NoSession");
  });
});

test.each([
  [
    'ErrorResponse',
    (path: string) =>
      /^\/api\/(agent|session|v1\/user|v1\/auth\/(session|logout)|knowledge)(\/|$)|^\/bridge/.test(path),
  ],
  [
    'ApiError',
    (path: string) =>
      !/^\/api\/(agent|session|v1\/user|v1\/auth\/(session|logout)|knowledge)(\/|$)|^\/bridge/.test(path),
  ],
])('every failure has the envelope %s where it belongs', (envelope, isMeant) => {
  const schema = { $ref: `#/components/schemas/${envelope}` };
  const failures = Object.entries(document['paths'] ?? {})
    .filter(([path]) => isMeant(path))
    .flatMap(([, item]) => [...walk(item)])
    .flatMap((node) => Object.entries(isNode(node['responses']) ? node['responses'] : {}))
    .filter(([status]) => status.startsWith('4'));
  expect(failures.length).toBeGreaterThan(0);
  for (const [, failure] of failures)
    expect(failure).toMatchObject({ content: { 'application/json': { schema } } });
});

test('tuples are written as in 2020-12', () => {
  const nodes = [...walk(document)];
  expect(nodes.filter((node) => 'additionalItems' in node || Array.isArray(node['items']))).toEqual([]);
  expect(nodes.some((node) => Array.isArray(node['prefixItems']))).toBe(true);
});
