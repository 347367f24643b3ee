import { expect, test } from 'vitest';
import { launch, next } from './tab.suite.ts';

test('[BRG-131] on a page of the browser itself nothing is seen or done', async () => {
  const browser = await launch({ args: ['chrome://version/'] });
  try {
    const surfaces = () => browser.surfaces().filter(({ surface }) => surface().url.startsWith('chrome:'));
    const [own] =
      surfaces().length > 0 ? surfaces() : await Promise.race(browser.surfaces().map(untilChrome));
    expect(own?.surface().url).toBe('chrome://version/');
    const refused = { code: 'permission_denied', evidence: { url: 'chrome://version/' } };
    await expect(own?.callPage('snapshot', [{}])).rejects.toMatchObject(refused);
    await expect(own?.callPage('read', [{}])).rejects.toMatchObject(refused);
    await expect(own?.picture?.({ format: 'png' })).rejects.toMatchObject(refused);
    await expect(own?.input?.keys('Tab')).rejects.toMatchObject(refused);
    await expect(own?.tabs?.navigate({ url: 'chrome://settings/' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await own?.tabs?.navigate({ url: 'about:blank' });
    expect(await own?.callPage('snapshot', [{}])).toMatchObject({ page: { url: 'about:blank' } });
  } finally {
    await browser.close();
  }
});

async function untilChrome(host: Parameters<typeof next>[0]) {
  await next(host, 'ready', ({ url }) => url.startsWith('chrome:'));
  return [host];
}
