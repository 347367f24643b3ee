import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

/** A secret field and its typed value. */
export interface Secret {
  readonly name: string;
  readonly field: string;
  readonly value: string;
  /** Same length, and wrong from its first letter on. */
  readonly wrong: string;
  /** More guesses of the same shape. */
  readonly guesses: readonly string[];
}

export const SECRETS: readonly Secret[] = [
  {
    name: 'a password',
    field: '<label>Password <input id="secret" type="password"></label>',
    value: 'kestrel7Qx',
    wrong: 'walrus4Zyu',
    guesses: ['badger9Tkw'],
  },
  {
    name: 'a CVC',
    field: '<label>CVC <input id="secret" autocomplete="cc-csc"></label>',
    value: '407',
    wrong: '815',
    guesses: ['299'],
  },
  {
    name: 'a one-time code',
    field: '<label>Enter the code from your app <input id="secret"></label>',
    value: '482913',
    wrong: '517360',
    guesses: ['204866'],
  },
];

/** Visible on the page and in no field: a control that shows that each oracle works. */
export const SHOWN: Pick<Secret, 'value' | 'wrong'> = { value: 'harbour9', wrong: 'walrus44' };

/** The value everywhere a page can repeat it, in the light DOM and in a shadow root. */
const ECHOES = (id: string) => `
  <section id="around-${id}" title="{}" data-echo="{}"><b id="inner-${id}" class="inner">inner</b></section>
  <p id="text-${id}">You typed {} here.</p>
  <p id="split-${id}">You typed <i>{0}</i>{1} here.</p>
  <a id="link-${id}" href="/found?p={}" title="{}" aria-label="Use {}">Link</a>
  <button id="button-${id}" class="{}" data-copy="x {}" name="{}" lang="{}">Copy {} now</button>
  <label>Note <input id="note-${id}" placeholder="{}" value="{}"></label>
  <i id="{}">by id</i>
  <p role="alert">Saved {}</p>
  <svg id="svg-${id}" width="10" height="10"></svg>
  <x-echo id="host-${id}"></x-echo>`;

const PAGE = ({ field, value }: Secret) => `<!doctype html><meta charset="utf-8"><title>Pay</title>
<form onsubmit="return false">${field}</form>
<main id="echoes"></main>
<button id="alert">Ask</button>
<label>Search <input id="search"></label><button id="go">Go</button>
<section id="results"></section>
<form id="next" action="/next"><button>Continue</button></form>
<p class="boxes" id="boxes"></p>
<style>.styled::before { content: attr(data-echo) }</style>
<script>
  // Repeats what an agent writes, in every way in which pages do.
  const bytes = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  document.querySelector('#search').addEventListener('input', ({ target: { value } }) => {
    const results = document.querySelector('#results');
    results.replaceChildren();
    const add = (tag, text, attributes = {}) => {
      const element = document.createElement(tag);
      element.textContent = text;
      for (const [name, inner] of Object.entries(attributes)) element.setAttribute(name, inner);
      results.append(element, ' ');
    };
    add('h2', 'Results for ' + value, { title: value, 'data-echo': value });
    add('p', 'You wrote ' + value + 'Copy');
    add('p', value.toUpperCase() + ' or ' + bytes(value) + ' or ' + encodeURIComponent(value));
    add('p', value.slice(0, 40) + '…');
    add('p', [...value.slice(0, 40)].join('\u00ad'));
    add('button', 'Save ' + value, { name: value });
    add('a', 'More', { href: '/next?q=' + encodeURIComponent(value) });
    add('input', '', { value, placeholder: value, 'aria-label': 'Copy' });
    add('p', 'No such thing as ' + value, { role: 'alert' });
    document.title = 'Search ' + value;
    history.replaceState(null, '', '#q=' + encodeURIComponent(value));
  });
</script>
<script>
  const secret = ${JSON.stringify(value)};
  const field = document.querySelector('#secret');
  field.value = secret;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  const put = (template, value) =>
    template.replaceAll('{}', value).replaceAll('{0}', value.slice(0, 1)).replaceAll('{1}', value.slice(1));
  const echo = (template, value, id) => {
    document.querySelector('#echoes').insertAdjacentHTML('beforeend', put(template, value));
    document.querySelector('#host-' + id).attachShadow({ mode: 'open' }).innerHTML =
      put('<i class="in-shadow" title="{}">Shadow {}</i>', value);
    document.querySelector('#svg-' + id).setAttribute('dataEcho', value);
  };
  echo(${JSON.stringify(ECHOES('secret'))}, secret, 'secret');
  echo(${JSON.stringify(ECHOES('shown'))}, ${JSON.stringify(SHOWN.value)}, 'shown');
  if (location.search === '?quiet') document.querySelector('#echoes').replaceChildren();
  else {
    document.querySelector('#boxes').innerHTML = [...secret].map((one) => '<b>' + one + '</b>').join('');
    document.title = 'Pay ' + secret + ' ${SHOWN.value}';
    history.replaceState(null, '', '#p=' + secret + '&s=${SHOWN.value}');
  }
  for (const value of [secret, '${SHOWN.value}']) {
    console.log('typed', value, { copy: value }, [value]);
    console.error(new Error('No such thing as ' + value));
    setTimeout(() => { throw new TypeError('Not ' + value); });
    localStorage.setItem(value, value);
    sessionStorage.setItem('copy', value);
    document.cookie = 'jar=' + encodeURIComponent(value);
    document.cookie = encodeURIComponent(value) + '=1';
    fetch('/found?p=' + encodeURIComponent(value));
  }
  // The field is cleared, as a page does after it has sent it.
  field.value = '';
  document.querySelector('#alert').onclick = () => alert('Is it ' + secret + ' or ${SHOWN.value}?');
</script>`;

/** Repeats every secret, and has none in a field. */
const NEXT = `<!doctype html><meta charset="utf-8"><title>Found ${SECRETS.map(({ value }) => value).join(' ')}</title>
<p>Your secrets are ${SECRETS.map(({ value }) => value).join(' and ')}. You came by ${SHOWN.value}.</p>`;

/** Secret of a page that arrives filled in and is only fetched. */
export const FETCHED = 'marigold4Zt';
const FILLED = `<!doctype html><title>Filled</title><input type="password" value="${FETCHED}"><p>You: ${FETCHED}, ${SHOWN.value}</p>`;

/** Serves one page per secret. */
export async function startEchoSite() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const secret = SECRETS[Number(pathname.slice(1))];
    if (secret !== undefined) response.end(PAGE(secret));
    else if (pathname === '/filled') response.end(FILLED);
    else response.end(pathname === '/next' ? NEXT : '<title>Found</title>');
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
