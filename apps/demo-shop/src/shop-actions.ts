import { createHash } from 'node:crypto';
import { addToCart, setQuantity, viewCart } from './cart.ts';
import { findProduct } from './catalogue.ts';
import { DELIVERY_SPEEDS, deliveryProblems, parseDelivery } from './delivery.ts';
import type { PageContent } from './page.ts';
import { addressAnswer } from './pages/address-corner.ts';
import { codeProblems, DEMO_EMAIL, loginContent, loginProblems } from './pages/login-page.ts';
import { BY_INVOICE } from './pay/by-invoice.ts';
import type { PaymentService } from './pay/payment-service.ts';
import { fieldReader, jsonReply, seeOther } from './replies.ts';
import { nextOrderNumber, type Order, type Visit } from './visits.ts';

export type ActionCall = { request: Request; form: FormData; visit: Visit; payments: PaymentService };

/** Handler of a form posted to `path`; returns a page to show or a finished answer. */
export type Action = { path: string; act(call: ActionCall): PageContent | Response | Promise<Response> };

export const shopActions: readonly Action[] = [
  { path: '/cart/add', act: (call) => changeCart(call, addToCart) },
  { path: '/cart/set', act: (call) => changeCart(call, setQuantity) },
  { path: '/orders', act: placeOrder },
  { path: '/login', act: logIn },
  { path: '/login/code', act: logInByCode },
  { path: '/logout', act: logOut },
  { path: '/corners/address', act: ({ form }) => addressAnswer(fieldReader(form)) },
  { path: '/corners/upload', act: receiveFiles },
];

function changeCart({ request, form, visit }: ActionCall, change: typeof setQuantity): Response {
  const read = fieldReader(form);
  const product = findProduct(read('product'));
  if (!product || product.soldOut) return jsonReply({ problem: 'That product is not for sale.' }, 422);
  change(visit.cart, product.id, Number(read('quantity') || 1));
  const wantsJson = request.headers.get('accept')?.includes('application/json');
  return wantsJson ? jsonReply(viewCart(visit.cart)) : seeOther('/cart');
}

function placeOrder({ form, visit, payments }: ActionCall): Response {
  const read = fieldReader(form);
  const delivery = parseDelivery(read);
  const problems = deliveryProblems(delivery);
  const cart = viewCart(visit.cart);
  if (cart.count === 0 || Object.keys(problems).length > 0) return jsonReply({ problems }, 422);
  const totalCents = cart.totalCents + DELIVERY_SPEEDS[delivery.speed].priceCents;
  const isInvoice = read('payment') === BY_INVOICE;
  const payment = isInvoice ? undefined : payments.redeem(read('payment'), totalCents);
  if (!payment && !isInvoice) return jsonReply({ problem: 'That payment does not fit this order.' }, 422);
  const order: Order = {
    number: nextOrderNumber(visit),
    lines: cart.lines,
    delivery,
    totalCents,
    ...(payment && { cardEnding: payment.cardEnding }),
  };
  visit.orders.push(order);
  visit.cart.clear();
  return jsonReply({ number: order.number });
}

function logIn({ form, visit }: ActionCall): PageContent | Response {
  const read = fieldReader(form);
  const email = read('email').trim();
  const problems = loginProblems(email, read('password'));
  if (Object.keys(problems).length > 0) return loginContent(email, problems);
  visit.customer = email;
  return seeOther('/account');
}

function logInByCode({ form, visit }: ActionCall): PageContent | Response {
  const problems = codeProblems(fieldReader(form)('code').trim());
  if (Object.keys(problems).length > 0) return loginContent('', problems);
  visit.customer = DEMO_EMAIL;
  return seeOther('/account');
}

function logOut({ visit }: ActionCall): Response {
  visit.customer = undefined;
  return seeOther('/');
}

async function receiveFiles({ form }: ActionCall): Promise<Response> {
  const files = form.getAll('file').filter((entry) => typeof entry !== 'string');
  const receipts = files.map(async (file) => {
    const sha256 = createHash('sha256').update(Buffer.from(await file.arrayBuffer()));
    return { name: file.name, bytes: file.size, sha256: sha256.digest('hex') };
  });
  return jsonReply(await Promise.all(receipts));
}
