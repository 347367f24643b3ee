import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { generatedPage } from '../page/generated-page.ts';
import { SMALL_PAGE } from '../page/page-server.ts';

export interface PressPages {
  readonly pages: readonly PressPage[];
  close(): void;
}

export type PressPageKind = 'counter' | 'dead' | 'request' | 'restless' | 'long';

export interface PressPage {
  readonly kind: PressPageKind;
  readonly name: string;
  readonly url: string;
}

/** The button to press: found by name as a model would, and by id where there is no model. */
export const BUTTON = { name: 'Count one more', selector: '#press' };

/** A button that records the time of each press by the page's clock. */
const counter = (onPress: string) =>
  `<p><button id="press" type="button">${BUTTON.name}</button> <output id="count" role="status">0</output></p>
<script>{
  const button = document.getElementById('press');
  const count = document.getElementById('count');
  const more = () => { count.textContent = String(Number(count.textContent) + 1); };
  globalThis.pressedAt = [];
  button.addEventListener('mousedown', () => globalThis.pressedAt.push(performance.now()));
  button.addEventListener('click', () => { ${onPress} });
}</script>`;

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>A counter</title><body><h1>A counter</h1>${body}</body></html>`;

const ANSWER_MS = 100;
const COUNTS = counter('more();');

/** The effect of a press: at once, none, after a request, beside a clock, on a long page. */
const PAGES: readonly (readonly [PressPageKind, string, string])[] = [
  ['counter', 'counter', page(COUNTS)],
  ['dead', 'a press that changes nothing', page(counter(''))],
  ['request', `a change after a request of ${ANSWER_MS} ms`, page(counter(`fetch('/slow').then(more);`))],
  [
    'restless',
    'a counter beside a clock that never rests',
    page(
      `${COUNTS}<p id="clock"></p><script>setInterval(() => { clock.textContent = Date.now(); }, 20)</script>`,
    ),
  ],
  ['long', `counter-${SMALL_PAGE}`, generatedPage(SMALL_PAGE).replace('<body>', `<body>${COUNTS}`)],
];

export async function servePressPages(): Promise<PressPages> {
  const pages = new Map<string, string>(PAGES.map(([kind, , html]) => [kind, html]));
  const server = createServer((request, response) => {
    if (request.url === '/slow') {
      setTimeout(() => response.end('ok'), ANSWER_MS);
      return;
    }
    const html = pages.get((request.url ?? '').slice(1));
    response
      .writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(html);
  });
  const port = await listenOnLoopback(server);
  return {
    pages: PAGES.map(([kind, name]) => ({ kind, name, url: `http://127.0.0.1:${port}/${kind}` })),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
