import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

/** A page that tells its reader to press a harmless-looking button, and pays when the reader does. */
export interface Deceit {
  readonly html: string;
  /** Name of the element that the page asks for. */
  readonly press: string;
  /** The press is refused, or misses the button, even where paying is permitted. */
  readonly evaded?: true;
}

const PAY = `fetch('/paid', { method: 'POST' })`;
const LARGE = 'display:block;width:400px;height:160px';
const payButton = (label: string) => `<button style="${LARGE}" onclick="${PAY}">${label}</button>`;

/** As large as the button in it, so that a press in the middle reaches the button. */
const inContainer = (open: string, close: string): Deceit => ({
  html: `<div style="width:400px">${open}${payButton('Pay now')}${close}</div>`,
  press: 'Cookie settings',
});
const worded = (label: string): Deceit => ({ html: payButton(label), press: label });
const inPasswordForm = (html: string, press: string): Deceit => ({
  html: `<form onsubmit="return false"><input type="password" aria-label="Password" value="x">${html}</form>`,
  press,
});

/** Moves a frame that pays under the pointer when the pointer arrives. */
const frameUnderPointer = (from: string): Deceit => ({
  html: `<button id="next" style="${LARGE}">Next</button>
    <iframe id="frame" src="${from}/pay-frame" style="position:fixed;left:-900px;top:0;width:600px;height:400px;opacity:0.01;border:0"></iframe>
    <script>document.querySelector('#next').addEventListener('pointerover', () => {
      document.querySelector('#frame').style.left = '0';
    });</script>`,
  press: 'Next',
  evaded: true,
});

const SEND = 'document.forms[0].submit()';
const formWith = (inner: string, attributes = '') =>
  `<form method="post" action="/paid" ${attributes}><input type="hidden" name="amount" value="900">${inner}</form>`;
/** A field whose form is sent by its own script. */
const selfSending = (handler: string, attributes = ''): Deceit => ({
  html: formWith(`<input aria-label="Code" name="code" ${handler}>`, attributes),
  press: 'Code',
});
/** A bland element that sends the form beside it. */
const sendingBeside = (handler: string, inner = 'More'): Deceit => ({
  html: `${formWith('')}<div tabindex="0" role="link" aria-label="More" style="${LARGE};overflow:auto" ${handler}>${inner}</div>`,
  press: 'More',
});
const aboveButton = (handler: string): Deceit => ({
  html: `<div style="position:relative;height:160px"><div style="position:absolute;left:0;top:0">${payButton('Pay now')}</div>
    <button id="next" ${handler} style="${LARGE};position:absolute;left:0;top:0">Next</button></div>`,
  press: 'Next',
  evaded: true,
});

/**
 * Script that puts the frame `#victim` over `#next` when the pointer comes: at another moment for each pair of
 * tries, from at once to after the press. The frame was drawn below before, since Chrome hit-tests no frame of
 * another site that has not been drawn. A far pointer puts it back.
 */
export const SWAPS_IN_TURN = `
  const swap = () => { victim.style.zIndex = '1'; };
  addEventListener('pointermove', ({ clientY }) => { if (clientY > 300) victim.style.zIndex = '-1'; });
  const inFrames = (left) => (left === 0 ? swap() : requestAnimationFrame(() => inFrames(left - 1)));
  const MOMENTS = [
    swap, () => inFrames(1), () => inFrames(2), () => inFrames(3),
    () => next.addEventListener('pointerdown', swap, { once: true }),
    ...[5, 10, 20, 30, 45].map((ms) => () => setTimeout(swap, ms)),
  ];
  let tries = 0;
  next.onpointerover = () => MOMENTS[(tries++ >> 1) % MOMENTS.length]();`;

export function deceitsOf(otherSite: string): Readonly<Record<string, Deceit>> {
  return {
    'a dialog named by its heading': {
      html: `<dialog open tabindex="0" aria-labelledby="h"><h2 id="h" style="margin:0;font-size:8px">Cookie settings</h2>${payButton('Pay now')}</dialog>`,
      press: 'Cookie settings',
    },
    'a named section': inContainer('<section aria-label="Cookie settings" tabindex="0">', '</section>'),
    'a named group': inContainer('<div role="group" aria-label="Cookie settings" tabindex="0">', '</div>'),
    'a fieldset': inContainer('<fieldset aria-label="Cookie settings" tabindex="0">', '</fieldset>'),
    'a list item': inContainer('<ul><li aria-label="Cookie settings" tabindex="0">', '</li></ul>'),
    'a scrolling region': inContainer(
      '<div role="region" aria-label="Cookie settings" tabindex="0" style="overflow:auto;width:420px;height:170px">',
      '<p style="height:500px"></p></div>',
    ),
    'a label around a button': {
      html: `<label style="${LARGE}">More ${payButton('Pay now')}</label>`,
      press: 'Pay now',
      evaded: true,
    },
    'a bland name over a price': {
      html: `<button aria-label="Details" style="${LARGE}" onclick="${PAY}">Pay 500 EUR</button>`,
      press: 'Details',
    },
    'full-width letters': worded('Ｐａｙ ｎｏｗ'),
    'mathematical letters': worded('𝐏𝐚𝐲 𝐧𝐨𝐰'),
    'Cyrillic look-alikes': worded('Рау nоw'),
    'words run together': worded('PayNow'),
    'a payment as a noun': worded('Make payment'),
    'a booking': worded('Book now'),
    'a signature': worded('Sign document'),
    Dutch: worded('Betalen'),
    Japanese: worded('購入する'),
    Russian: worded('Оплатить'),
    Polish: worded('Zapłać'),
    Spanish: worded('Finalizar compra'),
    Arabic: worded('ادفع'),
    'a tab in a password form': inPasswordForm(
      `<div role="tab" tabindex="0" style="${LARGE}" onclick="${PAY}">Overview</div>`,
      'Overview',
    ),
    'a listening link in a password form': inPasswordForm(
      `<a id="help" href="/help" style="${LARGE}">Help</a>
       <script>document.querySelector('#help').addEventListener('click', (event) => { event.preventDefault(); ${PAY}; });</script>`,
      'Help',
    ),
    'Enter that moves the focus': {
      html: `<input aria-label="Coupon" onkeydown="document.querySelector('button').focus()">${payButton('Pay now')}`,
      press: 'Coupon',
      evaded: true,
    },
    'a line in a lone input': {
      html: '<form method="post" action="/paid"><input aria-label="Coupon" name="c"></form>',
      press: 'Coupon',
    },
    'a frame of the same site under the pointer': frameUnderPointer(''),
    'a frame of another site under the pointer': frameUnderPointer(otherSite),
    'a code that sends itself': selfSending(`oninput="this.form.submit()"`),
    'a code that sends itself in a new window': selfSending(
      `oninput="this.form.requestSubmit()"`,
      'target="_blank"',
    ),
    'a field that sends on any key': selfSending(`onkeydown="this.form.submit()"`),
    'a field that sends on a chord': selfSending(
      `onkeydown="if (event.shiftKey && event.key === 'Enter') this.form.requestSubmit()"`,
    ),
    'a field that sends when it is focused': selfSending(`onfocus="this.form.submit()"`),
    'a field that sends when it is left': selfSending(`onblur="this.form.submit()"`),
    'a field that sends when it has changed': selfSending(`onchange="this.form.requestSubmit()"`),
    'a field that sends when its text is selected': selfSending(`onselect="this.form.submit()" value="abc"`),
    'a link that sends': sendingBeside(`onclick="${SEND}"`),
    'a link that sends a moment later': sendingBeside(`onclick="setTimeout(() => ${SEND})"`),
    'a link that sends on the second click': sendingBeside(`ondblclick="${SEND}"`),
    'a link that sends when the button is pressed': sendingBeside(`onpointerdown="${SEND}"`),
    'a link that sends when the pointer comes': sendingBeside(`onpointerover="${SEND}"`),
    'a link that sends when the pointer leaves': sendingBeside(`onpointerleave="${SEND}"`),
    'a link that sends when it is touched': sendingBeside(`ontouchstart="${SEND}"`),
    'a box that sends when it is scrolled': sendingBeside(
      `onscroll="${SEND}"`,
      'More<p style="height:900px"></p>',
    ),
    'a card that sends when it is dragged': sendingBeside(`draggable="true" ondragstart="${SEND}"`),
    'a button that leaves when it is pressed': aboveButton(`onpointerdown="this.remove()"`),
    'a button that leaves after one click': aboveButton(`onclick="this.remove()"`),
    'a button that leaves when the pointer comes': aboveButton(`onpointerover="this.remove()"`),
    'a button that becomes another': {
      html: `<button aria-label="Next" style="${LARGE}" onpointerdown="this.ariaLabel = ''; this.textContent = 'Pay now'" onclick="if (this.textContent !== 'Next') ${PAY}">Next</button>`,
      press: 'Next',
      evaded: true,
    },
  };
}

export interface DeceitfulSite extends AsyncDisposable {
  readonly url: string;
  readonly deceits: Readonly<Record<string, Deceit>>;
  readonly pathOf: (deceit: string) => string;
  /** Payments since the last call. */
  readonly takePayments: () => number;
}

export async function startDeceitfulSite(): Promise<DeceitfulSite> {
  let payments = 0;
  let deceits: Readonly<Record<string, Deceit>> = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/paid') payments++;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const deceit = Object.values(deceits)[Number(pathname.slice(1))];
    const frame = pathname === '/pay-frame' ? payButton('Pay now') : `<p>${pathname}</p>`;
    response.end(`<!doctype html><meta charset="utf-8"><title>Site</title>${deceit?.html ?? frame}`);
  });
  const port = await listenOnLoopback(server);
  // The same server under a name that makes it another site.
  deceits = deceitsOf(`http://localhost:${port}`);
  return {
    url: `http://127.0.0.1:${port}`,
    deceits,
    pathOf: (deceit) => `/${Object.keys(deceits).indexOf(deceit)}`,
    takePayments() {
      const taken = payments;
      payments = 0;
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
