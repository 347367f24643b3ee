import { type Html, html } from '@drawbridge/demo-shop/html';
import type { Call } from '@drawbridge/demo-shop/http-site';
import { availability, type Book, books, findBook, SUBJECTS, searchBooks } from './books.ts';

/** Ids of the books that a visitor holds, in order of request. */
export type Holds = Set<string>;

export type LibraryPage = { title: string; body: Html; status?: number };

const BOOKS_A_PAGE = 8;

export const missingPage: LibraryPage = {
  title: 'Not found',
  status: 404,
  body: html`<h1>There is no such page</h1><p><a class="button" href="/catalogue">To the catalogue</a></p>`,
};

export function startPage(): LibraryPage {
  return {
    title: 'Home',
    body: html`<section class="hero"><h1>${books.length} books by the water</h1>
        <p class="lead">Look one up, put a hold on it, and pick it up when it is back.</p></section>
      <section aria-labelledby="subjects"><h2 id="subjects">Subjects</h2>
        <ul class="subjects">${SUBJECTS.map(subjectTile)}</ul></section>`,
  };
}

function subjectTile(subject: string): Html {
  const count = searchBooks('', subject).length;
  return html`<li><a href="/catalogue?${new URLSearchParams({ subject }).toString()}">${subject}</a><p class="note">${count} books</p></li>`;
}

export function cataloguePage({ url }: Call, holds: Holds): LibraryPage {
  const asked = { q: url.searchParams.get('q') ?? '', subject: url.searchParams.get('subject') ?? '' };
  const found = searchBooks(asked.q, asked.subject);
  const last = Math.max(1, Math.ceil(found.length / BOOKS_A_PAGE));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(url.searchParams.get('page'))) || 1));
  const start = (page - 1) * BOOKS_A_PAGE;
  const shown = found.slice(start, start + BOOKS_A_PAGE);
  return {
    title: 'Catalogue',
    body: html`<h1>${asked.subject || 'Catalogue'}</h1>
      <p class="note" role="status" data-testid="found">${countText(found.length, asked.q)}</p>
      <ol class="results" start="${start + 1}">${shown.map((book) => result(book, holds))}</ol>
      ${last > 1 && pager(asked, page, last)}`,
  };
}

function countText(count: number, query: string): string {
  const things = count === 1 ? '1 book' : `${count} books`;
  const about = query.trim() === '' ? '' : ` for “${query.trim()}”`;
  return count === 0 ? `Nothing found${about}.` : `${things}${about}`;
}

function result(book: Book, holds: Holds): Html {
  return html`<li class="result" data-book="${book.id}">
      <h2><a href="/books/${book.id}">${book.title}</a></h2>
      <p><span class="author">${book.author}</span>, <span class="year">${book.year}</span></p>
      <p class="note"><span class="shelf">${book.shelf}</span> · <span class="copies">${availability(book)}</span>
        ${holds.has(book.id) && html`<span class="tag">On hold for you</span>`}</p>
    </li>`;
}

function pager(asked: { q: string; subject: string }, page: number, last: number): Html {
  const to = (number: number) =>
    `/catalogue?${new URLSearchParams({ ...asked, page: String(number) }).toString()}`;
  return html`<nav class="pager" aria-label="Pages">
      ${page > 1 && html`<a class="button" rel="prev" href="${to(page - 1)}">Previous</a>`}
      <span aria-current="page">Page ${page} of ${last}</span>
      ${page < last && html`<a class="button" rel="next" href="${to(page + 1)}">Next</a>`}
    </nav>`;
}

export function bookPage({ params }: Call, holds: Holds): LibraryPage | undefined {
  const book = findBook(params['id'] ?? '');
  return (
    book && {
      title: book.title,
      body: html`<article class="panel stack book" data-book="${book.id}">
        <h1>${book.title}</h1>
        <p class="lead">${book.author}</p>
        <dl class="facts">
          <dt>Published</dt><dd class="year">${book.year}</dd>
          <dt>Subject</dt><dd class="subject">${book.subject}</dd>
          <dt>Shelf</dt><dd class="shelf">${book.shelf}</dd>
          <dt>Copies</dt><dd class="copies">${availability(book)}</dd>
        </dl>
        ${holds.has(book.id) ? cancelForm(book) : placeForm(book)}
      </article>`,
    }
  );
}

function placeForm({ id }: Book): Html {
  return html`<form method="post" action="/holds/place"><input type="hidden" name="book" value="${id}">
      <button class="primary" type="submit" data-testid="place-hold">Place a hold</button></form>`;
}

function cancelForm({ id, title }: Book): Html {
  return html`<form method="post" action="/holds/cancel"><input type="hidden" name="book" value="${id}">
      <button type="submit" data-testid="cancel-hold">Cancel hold<span class="unseen"> on ${title}</span></button></form>`;
}

export function holdsPage(holds: Holds): LibraryPage {
  const held = [...holds].flatMap((id) => findBook(id) ?? []);
  const list = html`<ul class="holds">${held.map(
    (book) => html`<li class="hold" data-book="${book.id}">
        <div><a href="/books/${book.id}">${book.title}</a><p class="note">${availability(book)}</p></div>
        ${cancelForm(book)}</li>`,
  )}</ul>`;
  const empty = html`<p>No holds yet. <a href="/catalogue">Find a book</a> and place one.</p>`;
  return { title: 'Holds', body: html`<h1>Holds</h1>${held.length > 0 ? list : empty}` };
}
