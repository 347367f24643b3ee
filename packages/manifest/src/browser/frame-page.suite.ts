import { serveFrame } from './evaluator-frame.ts';

/**
 * Script of a sandboxed test page. Without an origin it cannot load scripts, so its worker is inline text.
 */
const source = document.querySelector('#worker')?.textContent ?? '';

serveFrame(() => new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))));
