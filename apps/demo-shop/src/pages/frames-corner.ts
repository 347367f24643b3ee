import { type Html, html } from '../html.ts';
import { defineCorner } from '../page.ts';
import { documentFrame } from '../page-frame.ts';

export const GIFT_CARD_CENTS = 2500;

export const framesCorner = defineCorner({
  slug: 'frames',
  name: 'Frames of every kind',
  sentence:
    'A page in a page: from the same origin, from another, with no address at all, and one inside another.',
  scripts: ['frames'],
  body: ({ payUrl }) => html`<div class="pair" id="frames" data-pay-url="${payUrl}">
      <section class="panel" aria-labelledby="same"><h2 id="same">Same origin</h2>
        <iframe title="Newsletter" src="/frames/newsletter"></iframe></section>
      <section class="panel" aria-labelledby="other"><h2 id="other">Another origin</h2>
        <iframe title="Gift card payment" class="pay" src="${payUrl}/card?amount=${GIFT_CARD_CENTS}"></iframe>
        <output id="gift-card">Not paid yet.</output></section>
      <section class="panel" aria-labelledby="none"><h2 id="none">No address (srcdoc)</h2>
        <iframe title="Note" srcdoc="&lt;!doctype html&gt;&lt;html lang=en&gt;&lt;title&gt;Note&lt;/title&gt;&lt;link rel=stylesheet href=/shop.css&gt;&lt;body class=framed&gt;&lt;button type=button&gt;A button without an address&lt;/button&gt;"></iframe></section>
      <section class="panel" aria-labelledby="nested"><h2 id="nested">Frame in a frame</h2>
        <iframe title="Partner" class="pay" src="${payUrl}/partner"></iframe></section>
    </div>`,
});

/** Shown in a frame: here and, through the payment site, in a nested frame. */
export function newsletterFrame(assets: string): Html {
  return documentFrame(
    'Newsletter',
    assets,
    ['frames'],
    html`<body class="framed"><main>
      <h1>Newsletter</h1>
      <form class="stack" id="newsletter">
        <label>Email for the newsletter <input type="email" name="email" autocomplete="email" required></label>
        <button type="submit">Subscribe</button>
        <output></output>
      </form>
    </main></body>`,
  );
}
