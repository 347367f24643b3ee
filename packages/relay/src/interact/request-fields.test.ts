import { CATALOG } from '@drawbridge/protocol/catalog';
import { expect, test } from 'vitest';
import { FIRST, startInteract } from '../../test/interact/interact-harness.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[];
  readonly required?: readonly string[];
}

const REQUEST: Schema = JSON.parse(JSON.stringify(CATALOG['interact-request'].interact_request));

/** Values of types that a field may not have. */
const WRONG = [{ deep: { er: 1 } }, ['list'], 7.5, true, 'text'];
const isWrong = (schema: Schema, value: unknown): boolean => {
  if (schema.type === 'object') return typeof value !== 'object' || Array.isArray(value);
  if (schema.type === 'array') return !Array.isArray(value);
  return typeof value === 'object';
};

/** Each field of the schema, with a request in which only that field is wrong. */
function* wrongFields(
  schema: Schema,
  path: string,
  put: (value: unknown) => object,
): Iterable<[string, object]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const set = (value: unknown) => put({ [name]: value });
    for (const value of WRONG.filter((each) => isWrong(field, each))) yield [fieldPath, set(value)];
    if (field.properties !== undefined) yield* wrongFields(field, fieldPath, set);
    if (field.items !== undefined && 'properties' in field.items) {
      yield* wrongFields(field.items, `${fieldPath}[0]`, (value) => set([value]));
    }
  }
}

test('[INT-72] [INT-40] a wrong value in any field gets 400 that names it, and stores nothing', async () => {
  const { call, relay, brain } = await startInteract(undefined, {
    limits: { interact_calls_per_minute: 10_000, request_burst: 10_000 },
  });
  const cases = [...wrongFields(REQUEST, '', (value) => ({ ...FIRST, ...Object(value) }))];
  expect(new Set(cases.map(([path]) => path)).size).toBeGreaterThan(90);
  for (const [path, body] of cases) {
    const { status, body: answer } = await call(body);
    expect([path, status, answer.success, answer.code]).toEqual([path, 400, false, 'invalid_request']);
    // A wrong value in an incomplete object may be named by either problem: both are in that object.
    const [root = ''] = path.split(/[.[]/);
    expect(answer.path).toMatch(new RegExp(`^${root}`));
    expect(answer.message).not.toBe('');
  }
  for (const [path, more] of [
    ['url', { url: '/relative' }],
    ['query', { query: '' }],
    ['tabId', { tabId: 0 }],
    ['taskId', { taskId: 'a b' }],
    ['dom', { domMode: 'full', dom: '' }],
    ['skeletonDom', { domMode: 'hybrid', interactiveTree: undefined }],
    ['interactiveTree', { domMode: 'semantic', interactiveTree: undefined }],
    ['interactiveTree', { domMode: undefined, interactiveTree: undefined, screenshot: 'AAAA' }],
  ] as const) {
    expect([path, await call({ ...FIRST, ...more })]).toMatchObject([path, { status: 400, body: { path } }]);
  }
  expect([brain.inputs, await relay.ledger.tasksBefore(null, 9), await relay.ledger.heads()]).toEqual([
    [],
    [],
    [],
  ]);
});
