import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';

const KEEP = `<style>body{margin:8px}button,input,iframe{display:block}</style>`;
const HOLD = (path: string) => `fetch('/done/${path}', { method: 'POST' })`;

/** A form with a password field and a button whose label does not tell what it does. */
const LOGIN = (inner: string) =>
  `<form method="post" action="/done/form"><input type="password" aria-label="Password" value="x">${inner}</form>`;

const PAGES: Readonly<Record<string, string>> = {
  '/login': LOGIN('<button>Go</button>'),
  '/continue': LOGIN(`<button type="button" onclick="${HOLD('form')}">Continue</button>`),
  '/danger': `<input aria-label="First"><button onclick="${HOLD('delete')}">Delete the account</button>`,
  '/message': `<form method="post" action="/done/message"><input aria-label="Words" value="hi"><button>Send</button></form>`,
  '/chat': `<textarea aria-label="Say" onkeydown="if (event.key === 'Enter') ${HOLD('chat')}"></textarea>`,
  '/bulk': `<form method="post" action="/done/bulk"><select aria-label="Bulk" onchange="this.form.submit()"><option>Nothing</option><option>Delete all</option></select></form>`,
  '/tick': `<label><input type="checkbox" id="tick" onclick="${HOLD('tick')}"> Delete it all</label>`,
  '/files': `<input type="file" aria-label="Picture" onchange="${HOLD('files')}">`,
  '/confirm': `<button onclick="if (confirm('Erase the disk?')) ${HOLD('confirm')}">Tidy up</button>`,
  '/card': `<form method="post" action="/done/card"><input autocomplete="cc-number" aria-label="Card" value="1"><button style="width:120px;height:40px">Go on</button></form>`,
  '/snoop': `<button>Snoop</button><script>
    const button = document.querySelector('button');
    const look = async (end) => {
      const { state } = await navigator.permissions.query({ name: 'clipboard-read' });
      button.textContent = 'Snoop: ' + state + end;
    };
    button.onclick = () => look(', at last');
    look('');
  </script>`,
  '/ordinary': `
    <nav><button id="menu" aria-expanded="false" onclick="${HOLD('menu')}">Menu</button><a href="/next">Next page</a></nav>
    <div><p>We use cookies</p><button onclick="${HOLD('cookies')}">Accept all</button></div>
    <button onclick="${HOLD('cart')}">Add to cart</button>
    <form action="/found"><input id="q" name="q" aria-label="Query"><button>Search</button></form>
    <form><select aria-label="Sort" onchange="${HOLD('sort')}"><option>Old</option><option>New</option></select></form>
    <label><input type="checkbox" onchange="${HOLD('filter')}"> In stock</label>
    ${LOGIN('<button>Go</button><a href="/forgot">Forgot it?</a>')}`,
};

/** A site on which every page can commit somebody to something, with a counter of commits. */
export async function startCommittingSite() {
  const done: string[] = [];
  let framed = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname.startsWith('/done/')) done.push(pathname.slice('/done/'.length));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const body = pathname === '/framed' ? framed : (PAGES[pathname] ?? `<p>${pathname}</p>`);
    response.end(`<!doctype html><title>Site</title>${KEEP}${body}`);
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  // The same site under another origin.
  framed = `<p>Shop</p><iframe title="Card" style="width:400px;height:200px;border:0" src="http://localhost:${port}/card"></iframe>`;
  return {
    url,
    otherUrl: `http://localhost:${port}`,
    done,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
