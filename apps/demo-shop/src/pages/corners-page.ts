import { type Html, html } from '../html.ts';
import type { Corner, Page } from '../page.ts';

type Signpost = { path: string; name: string; sentence: string };

/** Awkward patterns of the shop itself. */
const INSIDE_THE_SHOP: readonly Signpost[] = [
  {
    path: '/search',
    name: 'A list that keeps no node',
    sentence:
      'Search results are replaced, node by node, on every render; type a letter and nothing is the same element.',
  },
  {
    path: '/checkout',
    name: 'A modal over the page, a frame in the modal',
    sentence: 'Put something in the cart, fill the form, and pay in a form that another origin owns.',
  },
  {
    path: '/login',
    name: 'Secrets and mistakes',
    sentence: 'A password, a one-time code, and validation errors that come back from the server.',
  },
];

export function cornersPage(corners: readonly Corner[]): Page {
  return {
    path: '/corners',
    content: () => ({
      title: 'Awkward corners',
      body: html`<h1>Awkward corners</h1>
        <p class="lead">What the web does to anyone who reads and presses it by machine, one page for each.</p>
        <ul class="signposts">${[...INSIDE_THE_SHOP, ...corners].map(signpost)}</ul>`,
    }),
  };
}

function signpost({ path, name, sentence }: Signpost): Html {
  return html`<li><a href="${path}">${name}</a><p class="note">${sentence}</p></li>`;
}
