import { afterAll, beforeAll } from 'vitest';
import { type OpenPage, openPage } from '../browser.ts';
import { type Sites, startSites } from './server.ts';

/** Both sites for a test file, and a fresh visitor for each call of `visit`. */
export function setUpSites() {
  let sites: Sites | undefined;
  beforeAll(async () => {
    sites = await startSites();
  });
  afterAll(() => sites?.close());

  const running = (): Sites => {
    if (!sites) throw new Error('The sites open in beforeAll: use them inside a test.');
    return sites;
  };
  return {
    sites: running,
    async visit(site: 'library' | 'board', path = '/'): Promise<OpenPage> {
      const opened = await openPage({ baseURL: running()[`${site}Url`] });
      await opened.page.goto(path);
      return opened;
    },
  };
}
