import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback, startShop } from '@drawbridge/testbed';
import { generatedPage } from './generated-page.ts';

export interface BenchPage {
  readonly name: string;
  readonly url: string;
}

/** Pages are compared within their group: real pages, pages with thousands of elements, the shop. */
export interface PageGroup {
  readonly name: string;
  readonly kind: 'real' | 'generated' | 'shop' | 'corners';
  readonly pages: readonly BenchPage[];
}

export interface ServedPages {
  readonly groups: readonly PageGroup[];
  readonly generated: Readonly<Record<'small' | 'large', BenchPage>>;
  close(): Promise<void>;
}

export const SMALL_PAGE = 5_000;
export const LARGE_PAGE = 20_000;

/** Pages whose clicks change something, and with elements that have only a listener. */
const CORNERS = ['listeners', 'rows', 'dialogs', 'toasts', 'shadow', 'editor'];

/** Serves every page from loopback. Any other request gets an empty answer. */
export async function servePages(corpus: string | undefined): Promise<ServedPages> {
  const files = new Map<string, () => string>();
  const real = corpus === undefined ? [] : readdirSync(corpus).filter((file) => file.endsWith('.html'));
  for (const file of real) files.set(`/${file}`, () => readFileSync(join(corpus ?? '', file), 'utf8'));
  for (const size of [SMALL_PAGE, LARGE_PAGE])
    files.set(`/generated-${size}.html`, () => generatedPage(size));

  const server = createServer((request, response) => {
    const html = files.get(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    if (html === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html());
  });
  const port = await listenOnLoopback(server);
  const shop = await startShop();
  const pageOf = (file: string) => ({
    name: file.replace('.html', ''),
    url: `http://127.0.0.1:${port}/${file}`,
  });
  const generated = {
    small: pageOf(`generated-${SMALL_PAGE}.html`),
    large: pageOf(`generated-${LARGE_PAGE}.html`),
  };
  const groups: PageGroup[] = [
    { name: 'real pages', kind: 'real', pages: real.toSorted().map(pageOf) },
    { name: 'generated pages', kind: 'generated', pages: [generated.small, generated.large] },
    { name: 'demo shop', kind: 'shop', pages: [{ name: 'shop-start', url: shop.url }] },
    {
      name: 'demo shop, awkward corners',
      kind: 'corners',
      pages: CORNERS.map((corner) => ({ name: corner, url: `${shop.url}/corners/${corner}` })),
    },
  ];
  return {
    groups: groups.filter(({ pages }) => pages.length > 0),
    generated,
    async close() {
      server.closeAllConnections();
      server.close();
      await shop.close();
    },
  };
}
