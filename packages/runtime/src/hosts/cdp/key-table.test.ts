import { expect, test } from 'vitest';
import { parseChord } from './key-table.ts';

test('accepts a key by name, character or position', () => {
  expect(parseChord('Enter').key).toEqual({
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
    text: '\r',
  });
  expect(parseChord('esc').key).toMatchObject({ key: 'Escape', windowsVirtualKeyCode: 27 });
  expect(parseChord('F5').key).toMatchObject({ key: 'F5', windowsVirtualKeyCode: 116 });
  expect(parseChord('?').key).toMatchObject({ key: '?', code: 'Slash', text: '?' });
  expect(parseChord('!').key).toMatchObject({ key: '!', code: 'Digit1' });
  expect(parseChord('ß').key).toMatchObject({ key: 'ß', text: 'ß' });
});

test('accepts modifiers before the key, also before a plus', () => {
  const { modifiers, key } = parseChord('ctrl+Shift+k');
  expect(modifiers.map((modifier) => modifier.key)).toEqual(['Control', 'Shift']);
  expect(key).toMatchObject({ key: 'k', code: 'KeyK', windowsVirtualKeyCode: 75 });
  expect(parseChord('Control++').key.key).toBe('+');
  expect(parseChord('+').modifiers).toEqual([]);
});

test.each(['', 'Nonsense', 'Hyper+a', 'constructor'])('rejects %j', (text) => {
  expect(() => parseChord(text)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
