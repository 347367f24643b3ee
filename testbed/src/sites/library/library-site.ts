import { html } from '@drawbridge/demo-shop/html';
import type { Call, Route } from '@drawbridge/demo-shop/http-site';
import { fieldReader, htmlReply, seeOther } from '@drawbridge/demo-shop/replies';
import { type SiteFrame, siteAssets, siteFrame } from '../site-frame.ts';
import { createVisitorStates } from '../visitor-states.ts';
import { findBook } from './books.ts';
import {
  bookPage,
  cataloguePage,
  type Holds,
  holdsPage,
  type LibraryPage,
  missingPage,
  startPage,
} from './library-pages.ts';

/** A wave and a book. */
const MARK = 'M4 4h7v13H4zM13 4h7v13h-7zM2 20c2-2 4-2 6 0s4 2 6 0 4-2 6 0v2c-2-2-4-2-6 0s-4 2-6 0-4-2-6 0z';

/** Needs no login; a returning browser keeps its holds. */
export function librarySite(): { routes: Route[]; reset(): void } {
  const visitors = createVisitorStates<Holds>('library', () => new Set());
  const page = (path: string, content: (call: Call, holds: Holds) => LibraryPage | undefined): Route => ({
    method: 'GET',
    path,
    answer: (call) =>
      visitors.answer(call, (holds) => {
        const { title, body, status } = content(call, holds) ?? missingPage;
        return htmlReply(siteFrame(frameOf(holds, call.url), title, body), status);
      }),
  });
  const action = (path: string, act: (holds: Holds, book: string) => void): Route => ({
    method: 'POST',
    path,
    async answer(call) {
      const read = fieldReader(await call.request.formData());
      const book = findBook(read('book'));
      return visitors.answer(call, (holds) => {
        if (book) act(holds, book.id);
        return seeOther('/holds');
      });
    },
  });
  return {
    routes: [
      ...siteAssets(MARK),
      page('/', startPage),
      page('/catalogue', cataloguePage),
      page('/books/:id', bookPage),
      page('/holds', (_, holds) => holdsPage(holds)),
      action('/holds/place', (holds, book) => holds.add(book)),
      action('/holds/cancel', (holds, book) => holds.delete(book)),
      page('*', () => undefined),
    ],
    reset: visitors.clear,
  };
}

function frameOf(holds: Holds, url: URL): SiteFrame {
  const current = (path: string) => url.pathname === path && html` aria-current="page"`;
  return {
    name: 'Tidewater Library',
    mark: MARK,
    foot: 'A demo library. No book leaves it.',
    nav: html`<form class="find" role="search" action="/catalogue">
        <label class="unseen" for="q">Search the catalogue</label>
        <input id="q" type="search" name="q" value="${url.searchParams.get('q') ?? ''}" placeholder="Title or author" autocomplete="off">
        <button type="submit">Search</button>
      </form>
      <nav class="you" aria-label="Library">
        <a href="/catalogue"${current('/catalogue')}>Catalogue</a>
        <a href="/holds"${current('/holds')}>Holds <span class="count" data-testid="hold-count">${holds.size}</span></a>
      </nav>`,
  };
}
