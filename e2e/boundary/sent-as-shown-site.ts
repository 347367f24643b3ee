import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

const form = (attributes = '', button = '') =>
  `<h1>Pay Alice 10 €</h1><form id="f" action="/got/good" method="post" ${attributes}><input type="hidden" name="to" id="to" value="Alice">
<input name="amount" id="m" aria-label="Amount" value="10"><input name="tip" id="d" aria-label="Tip" value="900" disabled><input name="mail" id="mail" aria-label="Mail" value=" Ada@example.test">
<button id="b" ${button}>Pay now</button></form>`;
const OTHER = `<form id="g" action="/got/evil" method="post"><input type="hidden" name="amount" value="9999"></form>`;
const listening = (type: string, script: string) =>
  `<script>f.addEventListener('${type}', (e) => { ${script} })</script>`;

/** After the yes, the page's own listeners make something else of the press. */
export const DECEITS = {
  '/action': form(`onsubmit="this.action='/got/evil'"`),
  '/recipient': form('', `onclick="to.value='Mallory'"`),
  '/amount': form(`onsubmit="m.value=9999"`),
  '/data': form() + listening('formdata', `e.formData.set('amount', 9999)`),
  '/own-method':
    form('', 'formmethod="post"').replace('method="post" ', '') +
    listening('formdata', `e.formData.set('amount', 9999)`),
  '/formaction': form('', `onclick="this.setAttribute('formaction', '/got/evil')"`),
  '/joins': form('', `onclick="this.setAttribute('form', 'g')"`) + OTHER,
  '/enabled': form(`onsubmit="d.disabled=false"`),
  '/other': form(`onsubmit="event.preventDefault(); g.submit()"`) + OTHER,
  '/later': form(`onsubmit="event.preventDefault(); setTimeout(() => g.submit(), 30)"`) + OTHER,
  '/location': form(`onsubmit="event.preventDefault(); location='/got/evil?amount=9999'"`),
  '/link': `<h1>Pay Alice 10 €</h1><a id="b" href="/got/alice" onclick="this.href='/got/evil'">Pay now</a>`,
};
/** As honest pages send what they showed. */
export const HONEST = {
  '/plain': form(),
  '/token': form(
    `onsubmit="const t=document.createElement('input'); t.type='hidden'; t.name='payToken'; t.value='tok_1'; this.append(t)"`,
  ),
  '/script': form(`onsubmit="event.preventDefault(); setTimeout(() => this.submit(), 30)"`),
  '/tidied': form(`onsubmit="mail.value=mail.value.trim().toLowerCase(); m.value='10.00'"`),
  '/honest-method': form('', 'formmethod="post"').replace('method="post" ', ''),
  '/honest-link': `<h1>Pay Alice 10 €</h1><a id="b" href="/got/good">Pay now</a>`,
  '/honest-div': `${form()}<div id="x" tabindex="0" onclick="f.submit()">Pay now</div><script>b.remove(); x.id='b'</script>`,
  '/bank': form(
    `onsubmit="event.preventDefault(); const n=document.createElement('form'); n.method='post'; n.action='/got/bank'; n.innerHTML='<input name=PaReq value=abc>'; document.body.append(n); n.submit()"`,
  ),
};

export interface SentSite extends AsyncDisposable {
  readonly url: string;
  /** Address and body of each request that a page sent. */
  readonly got: string[];
}

export async function startSentSite(): Promise<SentSite> {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (pathname.startsWith('/got/')) got.push(`${pathname}${search} ${body}`);
    const page = Reflect.get({ ...DECEITS, ...HONEST }, pathname);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>T</title>${page ?? 'Thanks'}`);
  });
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
