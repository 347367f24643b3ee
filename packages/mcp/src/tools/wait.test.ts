import { misfitOf, primitiveByName } from '@drawbridge/protocol/primitives';
import { expect, test } from 'vitest';
import { numberAt } from '../loose-value.ts';
import { WAIT } from './wait.ts';

test('allows exactly the longest wait of the page', () => {
  const timeout_ms = numberAt(WAIT.input_schema, 'properties', 'timeout_ms', 'maximum') ?? 0;
  const schema = primitiveByName('page.wait')?.input_schema ?? {};
  expect(misfitOf(schema, { for: 'stable', timeout_ms })).toBeUndefined();
  expect(misfitOf(schema, { for: 'stable', timeout_ms: timeout_ms + 1 })).toMatchObject({});
});
