import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Html, html } from '@drawbridge/demo-shop/html';
import type { Route } from '@drawbridge/demo-shop/http-site';

export type SiteFrame = { name: string; mark: string; nav: Html; foot: string };

/** The document around every page of a small site. No page needs a script. */
export function siteFrame(site: SiteFrame, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${site.name}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/site.css">
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top"><div class="wrap">
      <a class="brand" href="/"><svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="${site.mark}" /></svg><span>${site.name}</span></a>
      ${site.nav}
    </div></header>
    <main id="main" class="wrap">${body}</main>
    <footer class="bottom"><div class="wrap"><p>${site.foot}</p></div></footer>
  </body>
</html>
`;
}

/** The shop's colours, type and controls, and the additions of the small sites. */
const STYLE_SHEETS = [
  fileURLToPath(import.meta.resolve('@drawbridge/demo-shop/base.css')),
  'styles/frame.css',
  'styles/library.css',
  'styles/board.css',
];

export function siteAssets(mark: string): Route[] {
  return [
    { method: 'GET', path: '/site.css', answer: async () => asset(await readStyles(), 'text/css') },
    { method: 'GET', path: '/favicon.svg', answer: () => asset(faviconOf(mark), 'image/svg+xml') },
  ];
}

const faviconOf = (mark: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0f6b66" d="${mark}"/></svg>`;

async function readStyles(): Promise<string> {
  const sheets = STYLE_SHEETS.map((name) => readFile(resolve(import.meta.dirname, name), 'utf8'));
  return (await Promise.all(sheets)).join('\n');
}

function asset(body: string, type: string): Response {
  return new Response(body, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
  });
}
