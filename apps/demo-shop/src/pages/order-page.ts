import { DELIVERY_SPEEDS } from '../delivery.ts';
import { type Html, html } from '../html.ts';
import { formatEuro } from '../money.ts';
import type { Page } from '../page.ts';
import type { Order } from '../visits.ts';

export const orderPage: Page = {
  path: '/orders/:number',
  content({ params, visit }) {
    const order = visit.orders.find(({ number }) => number === params['number']);
    return order && { title: `Order ${order.number}`, body: orderBody(order) };
  },
};

function orderBody(order: Order): Html {
  const { delivery } = order;
  return html`<h1>Thank you. Your order is placed.</h1>
    <p class="lead">Order number <output data-testid="order-number">${order.number}</output></p>
    <table class="sums">
      <caption class="unseen">What you ordered</caption>
      <thead><tr><th scope="col">Product</th><th scope="col">Quantity</th><th scope="col">Sum</th></tr></thead>
      <tbody>
        ${order.lines.map(
          (line) => html`<tr><th scope="row">${line.product.name}</th><td>${line.quantity}</td>
            <td>${formatEuro(line.sumCents)}</td></tr>`,
        )}
        <tr><th scope="row">Delivery</th><td></td>
          <td>${formatEuro(DELIVERY_SPEEDS[delivery.speed].priceCents)}</td></tr>
      </tbody>
      <tfoot><tr><th scope="row">Paid</th><td></td><td>${formatEuro(order.totalCents)}</td></tr></tfoot>
    </table>
    <dl class="facts">
      <dt>Card</dt><dd>ending ${order.cardEnding}</dd>
      <dt>Goes to</dt>
      <dd>${delivery.name}, ${delivery.street}, ${delivery.postcode} ${delivery.city}, ${delivery.country}</dd>
      <dt>Receipt to</dt><dd>${delivery.email}</dd>
    </dl>
    <p><a class="button" href="/">Back to the shop</a></p>`;
}
