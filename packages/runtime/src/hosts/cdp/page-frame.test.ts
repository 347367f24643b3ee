import { expect, test } from 'vitest';
import { addressOf } from './page-frame.ts';

test.each([
  [['f104_7'], 'f104_'],
  [['f104_7', 'some text'], 'f104_'],
  [['7', 'f104_7'], ''],
  [['f2_7'], ''],
  [['Enter', { id: 'f104_7' }], 'f104_'],
  [[['Tab', 'Enter'], { id: 'f104_7' }], 'f104_'],
  [[{ region: 'f104_f1_7' }], 'f104_'],
  [[{ id: 'badge', anchor: 'f104_7' }], 'f104_'],
  [['f104_press-3'], 'f104_'],
  [[{ scope: 'page' }], ''],
  [[], ''],
])('a call with %j goes to the frame %j', (args, prefix) => {
  expect(addressOf(args)).toBe(prefix);
});
