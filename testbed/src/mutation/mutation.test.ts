import { expect, test } from 'vitest';
import { exportsOf, mutate } from './mutation.ts';

const SOURCE = `export const next = (line: Line, event: Event) => {
  if (event.sequence === line.head + 1) pass(line, event);
  return settle({ session_id, attempt: 0, at }, 5_000);
};`;

test('replaces code of a shape, whatever its names', () => {
  const change = { find: '$e.sequence === $l.$head + 1', replace: '$e.sequence > $l.$head' };
  expect(mutate(SOURCE, [change])).toContain('if (event.sequence > line.head) pass(line, event);');
  const renamed = SOURCE.replaceAll('line', 'cursor').replaceAll('head', 'last');
  expect(mutate(renamed, [change])).toContain('if (event.sequence > cursor.last) pass(cursor, event);');
});

test('a list matches any arguments, properties or statements', () => {
  expect(mutate(SOURCE, [{ find: '({ ...$a, attempt: 0, ...$b })', replace: '{ ...$a, ...$b }' }])).toContain(
    'settle({ session_id, at }, 5_000)',
  );
  const emptied = mutate(SOURCE, [
    { find: '($a, $b) => { $$all; }', replace: '($b, $a) => { stop(); $$all; }' },
  ]);
  expect(emptied).toMatch(/\(event, line\) => \{ stop\(\); if \(event/);
});

test('a name that is bound once must be the same everywhere', () => {
  expect(() => mutate(SOURCE, [{ find: '$a.sequence === $a.$_ + 1', replace: 'true' }])).toThrow('0 times');
  expect(mutate('f(x, x); f(x, y);', [{ find: 'f($a, $a);', replace: 'g($a);' }])).toBe('g(x); f(x, y);');
});

test('finds a statement without braces around it', () => {
  expect(mutate(SOURCE, [{ find: '$pass($l, $e);', replace: '$pass($e);' }])).toContain('+ 1) pass(event);');
});

test('a later change uses the bindings of an earlier one', () => {
  const changes = [{ find: '$_.sequence === $line.$_ + 1' }, { find: '5_000', replace: '$line.wait' }];
  expect(mutate(SOURCE, changes)).toContain('at }, line.wait)');
});

test('refuses a missing or ambiguous shape, and an unbound name', () => {
  expect(() => mutate(SOURCE, [{ find: '$a === $b + 2', replace: 'true' }])).toThrow('0 times instead of 1');
  expect(() => mutate('f(1); f(2);', [{ find: 'f($a)', replace: 'g($a)' }])).toThrow('2 times instead of 1');
  expect(mutate('f(1); f(2);', [{ find: 'f($a)', replace: 'g($a)', times: 2 }])).toBe('g(1); g(2);');
  expect(() => mutate('f(1);', [{ find: 'f($a)', replace: 'g($b)' }])).toThrow('Nothing is bound to $b');
});

test('lists the exports of a module', () => {
  expect(exportsOf('export function a() {} export const b = 1, c = 2; const d = 3;')).toEqual([
    'a',
    'b',
    'c',
  ]);
});
