import { createFrameCode } from './frame-code.ts';

/** In this world only. A second injection reuses the first, so that ids stay valid. */
const KEY = Symbol.for('drawbridge.frame');

if (Reflect.get(globalThis, KEY) === undefined) {
  const code = createFrameCode(window, () => void Reflect.deleteProperty(globalThis, KEY));
  Object.defineProperty(globalThis, KEY, { value: code, configurable: true });
  void code.run('attach', '[]');
}
