import { html } from '../html.ts';
import type { PageContent } from '../page.ts';

export const missingContent: PageContent = {
  title: 'Not found',
  status: 404,
  body: html`<h1>There is no such page</h1>
    <p>It may have moved, or the address has a slip in it.</p>
    <p><a class="button" href="/">Back to the shop</a></p>`,
};
