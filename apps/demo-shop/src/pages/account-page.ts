import { type Html, html } from '../html.ts';
import { formatEuro } from '../money.ts';
import type { Page } from '../page.ts';
import type { Order } from '../visits.ts';

export const accountPage: Page = {
  path: '/account',
  content({ visit }) {
    if (visit.customer === undefined) return { title: 'Account', body: strangerBody() };
    return {
      title: 'Account',
      body: html`<h1>Account</h1>
        <p class="lead">Logged in as ${visit.customer}.</p>
        <h2>Orders</h2>
        ${visit.orders.length === 0 ? html`<p>No orders yet. <a href="/search">Find something</a>.</p>` : orderList(visit.orders)}
        <form method="post" action="/logout"><button type="submit">Log out</button></form>`,
    };
  },
};

function strangerBody(): Html {
  return html`<h1>Account</h1><p>Log in to see your orders.</p>
    <p><a class="button primary" href="/login">Log in</a></p>`;
}

function orderList(orders: readonly Order[]): Html {
  return html`<ul>${orders.map(
    (order) =>
      html`<li><a href="/orders/${order.number}">${order.number}</a>, ${formatEuro(order.totalCents)}</li>`,
  )}</ul>`;
}
