import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REASONS_DE, reasonDe } from './reason-de.ts';

test('each reason is one that the relay gives', () => {
  const folder = new URL('../../../relay/src/', import.meta.url).pathname;
  const sources = globSync('**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })
    .map((name) => readFileSync(folder + name, 'utf8'))
    .join('\n');
  expect(Object.keys(REASONS_DE).filter((sentence) => !sources.includes(sentence))).toEqual([]);
});

test.each([
  ['There is no such session.', 'not_found', 'Diese Sitzung gibt es nicht.'],
  [
    'This link is for another kind of device, and is still unused. Make one for a person: /opt/it/drawbridge pair.',
    undefined,
    'Dieser Link ist für eine andere Art von Gerät und noch unbenutzt. Erzeuge einen für eine Person: /opt/it/drawbridge pair.',
  ],
  ['"limit" is a number.', 'invalid_request', 'Etwas daran stimmt nicht. ("limit" is a number.)'],
  ['npm is not installed.', undefined, 'npm is not installed.'],
  ['npm is not installed.', 'toString', 'npm is not installed.'],
])('%s', (message, code, german) => {
  expect(reasonDe(message, code)).toBe(german);
});
