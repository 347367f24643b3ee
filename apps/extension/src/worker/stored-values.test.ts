import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseClaims, parseGrants, parsePairing, parseSettings } from './stored-values.ts';

const NONSENSE: readonly unknown[] = [undefined, null, 7, 'x', [], {}, { url: 1 }, [null], [{}]];

test('parses missing and older stored values safely', () => {
  for (const value of NONSENSE) {
    expect(parsePairing(value)).toBeNull();
    expect(parseGrants(value)).toEqual([]);
    expect(parseClaims(value)).toEqual([]);
    expect(parseSettings(value)).toEqual(DEFAULT_SETTINGS);
  }
  const settings = {
    ...DEFAULT_SETTINGS,
    language: 'xx',
    theme: 'dark',
    sites: [
      { origin: 'https://a.example', rule: 'never' },
      { origin: 'https://b.example', rule: 'always' },
    ],
  };
  expect(parseSettings(settings)).toEqual({
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    sites: [{ origin: 'https://a.example', rule: 'never' }],
  });
});
