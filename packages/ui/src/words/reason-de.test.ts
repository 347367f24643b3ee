import { expect, test } from 'vitest';
import { reasonDe } from './reason-de.ts';

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
