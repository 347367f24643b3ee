import { createSurfaceCode, type SurfaceCode } from './surface-code.ts';

/** The same place at which the page's own script would be found. */
const KEY = Symbol.for('drawbridge.page');

/** A second injection finds the first, so that every id stays what it was. */
if (!isInjected(Reflect.get(globalThis, KEY))) {
  const { prefix, tell } = readOptions(Reflect.get(globalThis, Symbol.for('drawbridge.options')));
  const code = createSurfaceCode({
    window,
    prefix,
    ...(tell && { hooks: { tell }, tellRecorded: tell }),
  });
  const close = () => {
    code.close();
    Reflect.deleteProperty(globalThis, KEY);
  };
  const injected: SurfaceCode = { ...code, page: { ...code.page, close }, close };
  Object.defineProperty(globalThis, KEY, { value: injected, configurable: true });
}

function isInjected(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'page' in value && 'call' in value;
}

interface InjectOptions {
  readonly prefix: string;
  readonly tell?: (notice: object) => void;
}

/** What the host that injects us has left for us. */
function readOptions(value: unknown): InjectOptions {
  const given = typeof value === 'object' && value !== null ? value : {};
  const prefix: unknown = Reflect.get(given, 'prefix');
  const tell: unknown = Reflect.get(given, 'tell');
  return {
    prefix: typeof prefix === 'string' ? prefix : '',
    ...(typeof tell === 'function' && { tell: (notice) => void Reflect.apply(tell, undefined, [notice]) }),
  };
}
