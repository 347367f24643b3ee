import { expect, test } from 'vitest';
import { ensureChromium } from './chromium.mjs';

const way = (name: string, tried: string[], applies = true) => ({
  applies: () => applies,
  install: async () => {
    tried.push(name);
    if (name === 'broken') throw new Error('no network');
  },
});

test('uses a Chromium that is there, and installs none', async () => {
  const tried: string[] = [];
  const found = await ensureChromium({ find: () => '/usr/bin/chromium', ways: [way('apt', tried)] });
  expect([found, tried]).toEqual(['/usr/bin/chromium', []]);
});

test('tries each way in order until one leads to a Chromium', async () => {
  const tried: string[] = [];
  const ways = [way('apt', tried, false), way('broken', tried), way('npm', tried), way('last', tried)];
  const find = () => (tried.includes('npm') ? '/home/ada/chrome' : undefined);
  expect(await ensureChromium({ find, ways })).toBe('/home/ada/chrome');
  expect(tried).toEqual(['broken', 'npm']);
});

test('gives undefined when no way leads to one', async () => {
  expect(await ensureChromium({ find: () => undefined, ways: [way('broken', [])] })).toBeUndefined();
});
