import { PRIMITIVES } from '@drawbridge/protocol/primitives';
import { expect, test } from 'vitest';
import { plainNames } from './plain-names.ts';

const KNOWN = /^(?:element|locator|page|browser|inspect)\./;

test.each(PRIMITIVES.map(({ name }) => name).filter((name) => KNOWN.test(name)))(
  '%s is not named',
  (name) => {
    const text = plainNames(`${name} was not permitted at https://shop.example/a.page.html.`);
    expect(text).not.toContain(name);
    expect(text).toContain(' was not permitted at https://shop.example/');
  },
);

test('names steps and tools', () => {
  expect(plainNames('element.drag: id must be an id. browser.files.list names them.')).toBe(
    'drag: id must be an id. tabs files names them.',
  );
});
