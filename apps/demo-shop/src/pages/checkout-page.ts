import { html } from '../html.ts';
import type { Page } from '../page.ts';

export const checkoutPage: Page = {
  path: '/checkout',
  content: ({ payUrl, visit }) => ({
    title: 'Checkout',
    body: html`<h1>Checkout</h1>
      <div id="checkout" data-pay-url="${payUrl}" data-email="${visit.customer ?? ''}">
        <p class="note">Loading…</p>
      </div>`,
    scripts: ['checkout'],
  }),
};
