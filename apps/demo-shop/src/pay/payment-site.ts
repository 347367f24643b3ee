import { type Html, html } from '../html.ts';
import type { Route } from '../http-site.ts';
import { formatEuro } from '../money.ts';
import { documentFrame } from '../page-frame.ts';
import { fieldReader, htmlReply, jsonReply } from '../replies.ts';
import type { PaymentService } from './payment-service.ts';

export const PAY_NAME = 'Harbour Pay';

/** The site with the card form; the shop gets only a payment's id and the last four digits. */
export function paymentRoutes(service: PaymentService, shopUrl: string, assets: string): Route[] {
  return [
    {
      method: 'GET',
      path: '/card',
      answer: ({ url }) => htmlReply(cardPage(amountOf(url), shopUrl, assets)),
    },
    { method: 'GET', path: '/partner', answer: () => htmlReply(partnerPage(shopUrl, assets)) },
    {
      method: 'POST',
      path: '/payments',
      async answer({ request, url }) {
        const read = fieldReader(await request.formData());
        const card = { number: read('number'), expiry: read('expiry'), code: read('code') };
        const outcome = service.take(card, amountOf(url));
        return 'id' in outcome ? jsonReply(outcome) : jsonReply(outcome, 422);
      },
    },
  ];
}

function amountOf(url: URL): number {
  const amount = Number(url.searchParams.get('amount'));
  return Number.isInteger(amount) && amount > 0 ? amount : 0;
}

function cardPage(amountCents: number, shopUrl: string, assets: string): Html {
  return documentFrame(
    `Card payment · ${PAY_NAME}`,
    assets,
    ['card'],
    html`<body class="framed"><main>
      <h1>${PAY_NAME}</h1>
      <form class="stack" id="card" action="/payments?amount=${amountCents}" data-shop="${shopUrl}" novalidate>
        <div class="field"><label for="number">Card number</label>
          <input id="number" name="number" inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242"></div>
        <div class="halves">
          <div class="field"><label for="expiry">Expiry</label>
            <input id="expiry" name="expiry" autocomplete="cc-exp" placeholder="08/30"></div>
          <div class="field"><label for="code">CVC</label>
            <input id="code" name="code" inputmode="numeric" autocomplete="cc-csc" placeholder="123"></div>
        </div>
        <button class="primary" type="submit">Pay ${formatEuro(amountCents)}</button>
        <p class="note">A demo: use 4242 4242 4242 4242.</p>
        <p id="paid" role="status"></p>
      </form>
    </main></body>`,
  );
}

function partnerPage(shopUrl: string, assets: string): Html {
  return documentFrame(
    `Partner · ${PAY_NAME}`,
    assets,
    [],
    html`<body class="framed"><main>
      <h1>Our partner’s newsletter</h1>
      <iframe title="Newsletter of the shop" src="${shopUrl}/frames/newsletter"></iframe>
    </main></body>`,
  );
}
