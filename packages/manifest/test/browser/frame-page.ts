import { serveFrame } from '../../src/browser/evaluator-frame.ts';

/** The script of a test's sandboxed page. Without an origin it can load no script: its worker is text. */
const source = document.querySelector('#worker')?.textContent ?? '';

serveFrame(() => new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))));
