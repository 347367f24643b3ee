import { parentPort } from 'node:worker_threads';
import { openEngine } from '../../src/expression/engine.ts';

/** Opens an engine in a separate worker and reports the contents of that realm. */
const attempt = (work: () => unknown): string => {
  try {
    return `works: ${typeof work()}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
};

const port = parentPort;
await openEngine(async () => {});

const data: Record<string, unknown> = { toString: 1 };
data['valueOf'] = 2;

port?.postMessage({
  globals: Object.getOwnPropertyNames(globalThis).filter(
    (name) => Reflect.get(globalThis, name) !== undefined,
  ),
  codeMakers: [() => {}, async () => {}, function* () {}, async function* () {}].map((kind) =>
    attempt(() => kind.constructor('return 1')),
  ),
  ofClass: attempt(() => Reflect.get(Map, 'constructor')('return 1')),
  changes: [
    attempt(() => Reflect.set(Object.prototype, 'polluted', 1) && Reflect.get({}, 'polluted')),
    attempt(() => Object.defineProperty(Array.prototype, 'polluted', { value: 1 })),
    attempt(() => Object.assign(JSON, { parse: 1 })),
    attempt(() => Object.assign(Promise.prototype, { polluted: 1 })),
  ],
  proto: '__proto__' in {},
  ownNames: data,
});
