import { serveFrame } from '@drawbridge/manifest/browser';

/** A page without an origin cannot load a worker, so its source comes with the page. */
const source = document.querySelector('#evaluator')?.textContent ?? '';

serveFrame(() => new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))));
