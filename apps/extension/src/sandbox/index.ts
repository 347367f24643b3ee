import { serveFrame } from '@drawbridge/manifest/browser';

/** Without an origin this page can load no worker: its text came with the page. */
const source = document.querySelector('#evaluator')?.textContent ?? '';

serveFrame(() => new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))));
