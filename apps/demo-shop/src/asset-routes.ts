import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBundle } from './client-bundle.ts';
import type { Route } from './http-site.ts';
import { FAVICON } from './page-frame.ts';

const STYLE_SHEETS = ['base.css', 'shop.css', 'pictures.css', 'corners.css'];

/** Stylesheet, icon and scripts, for both sites. */
export function assetRoutes(bundle: ClientBundle): Route[] {
  return [
    {
      method: 'GET',
      path: '/shop.css',
      answer: async () => asset(await readStyles(), 'text/css', 'no-cache'),
    },
    { method: 'GET', path: '/favicon.svg', answer: () => asset(FAVICON, 'image/svg+xml', 'max-age=3600') },
    {
      method: 'GET',
      path: `${assetsPath(bundle)}/:file`,
      answer: ({ params }) => {
        const file = bundle.files.get(params['file'] ?? '');
        return file
          ? asset(file, 'text/javascript', 'max-age=31536000, immutable')
          : new Response('Not found', { status: 404 });
      },
    },
  ];
}

export function assetsPath(bundle: ClientBundle): string {
  return `/assets/${bundle.hash}`;
}

function asset(body: string | Buffer<ArrayBuffer>, type: string, caching: string): Response {
  return new Response(body, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': caching },
  });
}

/** Read on every request, so that a change shows on reload. */
async function readStyles(): Promise<string> {
  const folder = join(import.meta.dirname, 'styles');
  const sheets = await Promise.all(STYLE_SHEETS.map((name) => readFile(join(folder, name), 'utf8')));
  return sheets.join('\n');
}
