import { expect, onTestFinished, test } from 'vitest';
import { createSchemaChecks } from './schema-checks.ts';

function startChecks(maxMs = 30_000) {
  const checks = createSchemaChecks({ maxMs });
  onTestFinished(checks.close);
  return checks;
}

test('applies a schema and reports the mismatch', async () => {
  const checks = startChecks();
  const schema = { type: 'object', patternProperties: { '^x_': { type: 'string' } } };
  expect(await checks.check(schema, { x_a: 's' }, 'a')).toEqual({ ok: true });
  expect(await checks.check(schema, { x_a: 1 }, 'a')).toMatchObject({ ok: false, path: 'x_a' });
  expect(await checks.check({ pattern: '(' }, 's', 'a')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^cannot be checked/),
  });
});

test('validates a map', async () => {
  const checks = startChecks();
  expect(await checks.validateMap({ tools: 7 }, 'a')).toMatchObject({ ok: false });
});

test('a check that does not end is killed, and the next one is answered', async () => {
  const checks = startChecks(300);
  const anyOf = Array.from({ length: 20_000 }, (_, at) => ({ const: `${at}` }));
  const value = Array.from({ length: 200_000 }, () => 'x');
  const endless = await checks.check({ type: 'array', items: { not: { anyOf } } }, value, 'a');
  expect(endless).toMatchObject({ ok: false, message: expect.stringMatching(/^cannot be checked/) });
  await expect.poll(() => checks.check({ type: 'number' }, 1, 'a')).toEqual({ ok: true });
});
