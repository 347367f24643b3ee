import { expect, test } from 'vitest';
import { openPage } from './browser.ts';

test('outside the browser project there is no shared Chromium, and the error says what to do', async () => {
  await expect(openPage()).rejects.toThrow(/No shared Chromium.*\*\.browser\.test\.ts/);
});
