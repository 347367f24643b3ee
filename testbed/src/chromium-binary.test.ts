import { expect, test } from 'vitest';
import { chromiumPath } from './chromium-binary.ts';

test('says what to do when no Chromium is found', () => {
  expect(() => chromiumPath({ LOCALAPPDATA: '/nowhere' }, 'win32')).toThrow(
    /No Chromium was found.*npm test.*apt install chromium.*CHROME_PATH/s,
  );
});

test('uses the Chromium that CHROME_PATH names', () => {
  expect(chromiumPath({ CHROME_PATH: process.execPath })).toBe(process.execPath);
});
