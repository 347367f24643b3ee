import { html } from '../html.ts';
import type { Page } from '../page.ts';

export const cartPage: Page = {
  path: '/cart',
  content: () => ({
    title: 'Cart',
    body: html`<h1>Cart</h1><div id="cart"><p class="note">Loading…</p></div>`,
    scripts: ['cart'],
  }),
};
