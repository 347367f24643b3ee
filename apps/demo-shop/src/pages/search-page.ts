import { html } from '../html.ts';
import type { Page } from '../page.ts';

export const searchPage: Page = {
  path: '/search',
  content: () => ({
    title: 'Search',
    body: html`<h1>Search</h1><div id="search"><p class="note">Loading…</p></div>`,
    scripts: ['search'],
    hasOwnSearch: true,
  }),
};
