import { viewCart } from './cart.ts';
import { CATEGORIES } from './catalogue.ts';
import { type Html, html } from './html.ts';
import type { PageContent } from './page.ts';
import type { Visit } from './visits.ts';

export const SHOP_NAME = 'Lantern & Oak';

/** Parts that every document of both sites has. */
export function documentFrame(title: string, assets: string, scripts: readonly string[], body: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/shop.css">
    ${scripts.map((script) => html`<script type="module" src="${assets}/${script}.js"></script>`)}
  </head>
  ${body}
</html>
`;
}

export function pageFrame(content: PageContent, visit: Visit, url: URL, assets: string): Html {
  const title = url.pathname === '/' ? `${SHOP_NAME}: ${content.title}` : `${content.title} · ${SHOP_NAME}`;
  const body = html`<body>
    <a class="skip" href="#main">Skip to content</a>
    ${header(visit, url, content.hasOwnSearch !== true)}
    <main id="main" class="wrap">${content.body}</main>
    ${footer()}
    <div class="toasts" id="toasts" role="status"></div>
  </body>`;
  return documentFrame(title, assets, ['shell', ...(content.scripts ?? [])], body);
}

function header(visit: Visit, url: URL, withSearch: boolean): Html {
  const { count } = viewCart(visit.cart);
  const current = (path: string) => url.pathname === path && html` aria-current="page"`;
  return html`<header class="top">
      <div class="wrap">
        <a class="brand" href="/"${current('/')}>${brandMark()}<span>${SHOP_NAME}</span></a>
        ${withSearch && searchForm()}
        <nav class="you" aria-label="You">
          <a href="${visit.customer ? '/account' : '/login'}">${visit.customer ? 'Account' : 'Log in'}</a>
          <a href="/cart"${current('/cart')}>Cart <span class="count" data-testid="cart-count">${count}</span></a>
        </nav>
        <nav class="aisles" aria-label="Categories">
          ${CATEGORIES.map((category) => categoryLink(category, url))}
        </nav>
      </div>
    </header>`;
}

function searchForm(): Html {
  return html`<search><form class="find" action="/search">
          <label class="unseen" for="find">Search the shop</label>
          <input id="find" type="search" name="q" placeholder="Lamps, chairs, mugs" autocomplete="off">
          <button type="submit">Search</button>
        </form></search>`;
}

function categoryLink(category: string, url: URL): Html {
  const here = url.pathname === '/search' && url.searchParams.get('category') === category;
  return html`<a href="/search?category=${category}"${here && html` aria-current="page"`}>${category}</a>`;
}

function footer(): Html {
  return html`<footer class="bottom">
      <div class="wrap">
        <p>A demo shop. Nothing is sold, nothing is sent, no real card works.</p>
        <p><a href="/corners">Awkward corners</a></p>
      </div>
    </footer>`;
}

function brandMark(): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M9 5a3 3 0 0 1 6 0h-1.6a1.4 1.4 0 0 0-2.8 0zM7 6h10v2H7zM8 9h8v9H8zM6 19h12v2H6z" />
    <path class="flame" d="M12 10.5c1.7 2 2 3 2 4a2 2 0 0 1-4 0c0-1 .3-2 2-4z" />
  </svg>`;
}

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0f6b66" d="M9 5a3 3 0 0 1 6 0h-1.6a1.4 1.4 0 0 0-2.8 0zM7 6h10v2H7zM8 9h8v9H8zM6 19h12v2H6z"/><path fill="#ffd48a" d="M12 10.5c1.7 2 2 3 2 4a2 2 0 0 1-4 0c0-1 .3-2 2-4z"/></svg>`;
