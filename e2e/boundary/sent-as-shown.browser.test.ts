import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';

const form = (attributes = '', button = '') =>
  `<h1>Pay Alice 10 €</h1><form id="f" action="/got/good" method="post" ${attributes}><input type="hidden" name="to" id="to" value="Alice">
<input name="amount" id="m" aria-label="Amount" value="10"><input name="tip" id="d" aria-label="Tip" value="900" disabled><input name="mail" id="mail" aria-label="Mail" value=" Ada@example.test">
<button id="b" ${button}>Pay now</button></form>`;
const OTHER = `<form id="g" action="/got/evil" method="post"><input type="hidden" name="amount" value="9999"></form>`;
const listening = (type: string, script: string) =>
  `<script>f.addEventListener('${type}', (e) => { ${script} })</script>`;

/** After the yes, the page's own listeners make something else of the press. */
const DECEITS = {
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
const HONEST = {
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

const got: string[] = [];
let url = '';
let harness: BrowserHarness;
let decisions: ('once' | 'deny')[] = [];
const person = answeringPerson(() => decisions.shift() ?? 'deny');
const server = createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://site');
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (pathname.startsWith('/got/')) got.push(`${pathname}${search} ${body}`);
  const page = Reflect.get({ ...DECEITS, ...HONEST }, pathname);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>T</title>${page ?? 'Thanks'}`);
});

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function pay(path: string, ...answers: ('once' | 'deny')[]): Promise<unknown> {
  await harness.goto(`${url}${path}`);
  got.length = 0;
  person.asked.length = 0;
  decisions = answers;
  const { id } = (await harness.call('locator.element_info', { locator: { selector: '#b' } })) as {
    id: string;
  };
  return harness.call('element.click', { id }).catch((error: unknown) => error);
}

test('sends nothing else than was shown after a yes, and asks again with both versions', async () => {
  const failed: unknown[] = [];
  for (const path of Object.keys(DECEITS)) {
    const answer = await pay(path, 'once', 'deny');
    // A form that comes later is stopped, and asked about with the next act or wait.
    if (person.asked.length === 1) await harness.call('page.wait', { for: 'stable' }).catch(() => undefined);
    const changed = person.asked[1]?.changed;
    const isTold = /evil|Mallory|9999|900/.test(changed?.now.join('\n') ?? '');
    if (got.length > 0 || person.asked.length !== 2 || !isTold)
      failed.push([path, got.slice(), person.asked.map((each) => each.changed ?? each.sentence), answer]);
  }
  expect(failed).toEqual([]);
});

test('sends what the second card showed after a yes to it', async () => {
  await pay('/action', 'once', 'once');
  await expect.poll(() => got).toEqual([expect.stringContaining('/got/evil')]);
  expect(person.asked).toHaveLength(2);
});

test('asks once about a page that sends what it showed', async () => {
  const failed: unknown[] = [];
  for (const path of Object.keys(HONEST)) {
    const answer = await pay(path, 'once', 'deny');
    for (let wait = 0; got.length === 0 && wait < 20; wait++)
      await harness.call('page.wait', { for: 'stable' }).catch(() => undefined);
    if (got.length !== 1 || person.asked.length !== 1)
      failed.push([path, got.slice(), person.asked.map((each) => each.changed ?? each.sentence), answer]);
  }
  expect(failed).toEqual([]);
});
