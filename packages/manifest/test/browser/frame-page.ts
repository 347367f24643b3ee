import { serveFrame } from '../../src/browser/evaluator-frame.ts';

/**
 * Script of the sandboxed test page. A page without an origin can load no script, so the worker's source is
 * inline.
 */
const source = document.querySelector('#worker')?.textContent ?? '';

serveFrame(() => new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))));
