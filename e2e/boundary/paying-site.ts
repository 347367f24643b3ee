import { createServer, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

/** Changes that the pay page makes to itself. */
export type Swap =
  | 'amount'
  | 'payee'
  | 'action'
  | 'button'
  | 'hidden'
  | 'secret'
  | 'clock'
  | 'shown'
  | 'custom'
  | 'choice'
  | 'beside'
  | 'enctype'
  | 'target'
  | 'picture'
  | 'framed'
  | 'echo'
  | 'styled';

export interface Payment {
  /** The host that was paid: the site has two names, which are two origins. */
  readonly host: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface PayingSite extends AsyncDisposable {
  readonly url: string;
  readonly otherUrl: string;
  readonly payments: readonly Payment[];
  readonly forget: () => void;
  /** Makes every open page change itself; resolves when one has. */
  readonly swap: (what: Swap) => Promise<void>;
}

const payPage = (otherUrl: string) => `
<main><form method="post" action="/paid">
  <p>Total <b id="amount">49.00 €</b><b id="dear" hidden>990.00 €</b></p>
  <p>To <b id="payee">Lantern and Oak</b></p>
  <p>Your basket is kept for <span id="clock">04:59</span></p>
  <input type="hidden" name="account" value="shop">
  <label>Quantity <input name="quantity" value="2"></label>
  <label>CVC <input name="cvc" autocomplete="cc-csc" value="731"></label>
  <pay-target name="target"></pay-target>
  <button>Pay now</button>
</form>
<style id="styles">#fee::after { content: "Fee 2" }</style><p id="fee"></p><p id="echo">Card code 731</p><form><input autocomplete="cc-csc" aria-label="Old CVC" value="913"></form>
<ul role="listbox" aria-label="From"><li role="option" id="one" aria-selected="true">Own account</li><li role="option" id="two">Joint account</li></ul>
<input id="beside" aria-label="Tip" value="0"><img id="picture" alt="For Ada"><iframe id="framed" srcdoc="For Ben"></iframe></main>
<script>
  const form = document.forms[0];
  const byId = (id) => document.getElementById(id);
  let target;
  customElements.define('pay-target', class extends HTMLElement {
    static formAssociated = true;
    constructor() { super(); target = this.attachInternals(); }
  });
  // As pages do that send a form when they get its data.
  form.addEventListener('formdata', () => { if (!navigator.userActivation.isActive) document.title = 'Sent'; });
  const SWAPS = {
    custom: () => { target.setFormValue('mallory'); },
    choice: () => { byId('one').ariaSelected = 'false'; byId('two').ariaSelected = 'true'; },
    beside: () => { byId('beside').value = '900'; },
    amount: () => { byId('amount').textContent = '490.00 €'; },
    payee: () => { byId('payee').textContent = 'Mallory Ltd'; },
    action: () => { form.action = '${otherUrl}/paid'; },
    button: () => { form.querySelector('button').setAttribute('formaction', '${otherUrl}/paid'); },
    hidden: () => { form.account.value = 'mallory'; },
    secret: () => { form.cvc.value = '913'; },
    enctype: () => { form.enctype = 'text/plain'; },
    target: () => { form.target = 'sink'; },
    styled: () => { byId('styles').sheet.cssRules[0].style.content = '"Fee 200"'; },
    echo: () => { byId('echo').textContent = 'Card code 913'; },
    picture: () => { byId('picture').alt = 'For Mallory'; },
    framed: () => { byId('framed').contentDocument.body.textContent = 'For Mallory'; },
    clock: () => { byId('clock').textContent = '04:58'; },
    shown: () => { byId('amount').hidden = true; byId('dear').hidden = false; },
  };
  let events;
  const listen = () => {
    events = new EventSource('/events');
    events.onmessage = async ({ data }) => { SWAPS[data](); await fetch('/swapped'); };
  };
  listen();
  // A page that the browser keeps for going back would keep its connection, of which a host has six.
  onpagehide = () => events.close();
  onpageshow = ({ persisted }) => { if (persisted) listen(); };
</script>`;

/** A shop with one payment page, which changes itself on request. */
export async function startPayingSite(): Promise<PayingSite> {
  const payments: Payment[] = [];
  const watching = new Set<ServerResponse>();
  let swapped = () => {};
  let opened = () => {};
  let otherUrl = '';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      watching.add(response);
      request.on('close', () => watching.delete(response));
      opened();
      return;
    }
    if (pathname === '/swapped') swapped();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (pathname.startsWith('/paid') && request.method === 'POST')
      payments.push({
        host: request.headers.host ?? '',
        fields: Object.fromEntries(new URLSearchParams(body)),
      });
    const noStore = pathname.includes('no-store');
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(noStore && { 'cache-control': 'no-store' }),
    });
    const content =
      pathname === '/pay'
        ? payPage(otherUrl)
        : pathname === '/framed'
          ? `<iframe title="Pay" style="width:600px;height:400px" src="${otherUrl}/pay"></iframe>`
          : pathname.startsWith('/send')
            ? `<form method="post" action="/paid${pathname.slice(5)}"><button>Go on</button></form>`
            : `<p>${request.method} ${pathname}</p><a href="/next">Next</a>`;
    response.end(`<!doctype html><title>Checkout</title>${content}`);
  });
  const port = await listenOnLoopback(server);
  otherUrl = `http://localhost:${port}`;
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl,
    payments,
    forget: () => payments.splice(0),
    async swap(what) {
      if (watching.size === 0)
        await new Promise<void>((resolve) => {
          opened = resolve;
        });
      const done = new Promise<void>((resolve) => {
        swapped = resolve;
      });
      for (const page of watching) page.write(`data: ${what}\n\n`);
      await done;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
