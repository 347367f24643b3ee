import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { generatedPage } from '../page/generated-page.ts';
import { SMALL_PAGE } from '../page/page-server.ts';

export interface PressPages {
  readonly pages: readonly PressPage[];
  close(): void;
}

export interface PressPage {
  readonly name: string;
  readonly url: string;
}

/** The button to press: found by name as a model would, and by id where there is no model. */
export const BUTTON = { name: 'Count one more', selector: '#press' };

/** A button that counts visibly and records the time of each press by the page's clock. */
const COUNTER = `<p><button id="press" type="button">${BUTTON.name}</button> <output id="count" role="status">0</output></p>
<script>{
  const button = document.getElementById('press');
  const count = document.getElementById('count');
  globalThis.pressedAt = [];
  button.addEventListener('mousedown', () => globalThis.pressedAt.push(performance.now()));
  button.addEventListener('click', () => { count.textContent = String(Number(count.textContent) + 1); });
}</script>`;

const SHORT = `<!doctype html><html lang="en"><title>A counter</title><body><h1>A counter</h1>${COUNTER}</body></html>`;

export async function servePressPages(): Promise<PressPages> {
  const pages = new Map([
    ['counter', SHORT],
    [`counter-${SMALL_PAGE}`, generatedPage(SMALL_PAGE).replace('<body>', `<body>${COUNTER}`)],
  ]);
  const server = createServer((request, response) => {
    const html = pages.get((request.url ?? '').slice(1));
    response
      .writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(html);
  });
  const port = await listenOnLoopback(server);
  return {
    pages: [...pages.keys()].map((name) => ({ name, url: `http://127.0.0.1:${port}/${name}` })),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
