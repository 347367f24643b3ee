import type { PageHooks } from '../page.ts';
import { createRecorderCalls } from '../record/recorder-calls.ts';
import { createSurfaceCode, type SurfaceCode } from './surface-code.ts';

/** The key that the page's own script would use. */
const KEY = Symbol.for('drawbridge.page');

/** A second injection returns the first, so that ids stay valid. */
if (!isInjected(Reflect.get(globalThis, KEY))) {
  const given = readOptions(Reflect.get(globalThis, Symbol.for('drawbridge.options')));
  const { prefix, tell: send, ...hooks } = given;
  const code = createSurfaceCode({
    window,
    prefix,
    hooks: { ...hooks, ...(send && { send }) },
    record: (parts) => createRecorderCalls({ ...parts, ...(send && { send }) }),
    ...(send && { sendWebTools: send, sendSecrets: send }),
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

interface InjectOptions extends Pick<PageHooks, 'host' | 'listenerHint' | 'listenerKinds' | 'shadowRootOf'> {
  readonly prefix: string;
  readonly tell?: (notice: object) => void;
}

/** A host with a debugger adds closed roots to the map. */
function shadowRootIn(roots: WeakMap<WeakKey, unknown>, element: Element): ShadowRoot | undefined {
  if (element.shadowRoot !== null) return element.shadowRoot;
  const closed = roots.get(element);
  return closed instanceof ShadowRoot ? closed : undefined;
}

function wordsIn(kinds: WeakMap<WeakKey, unknown>, element: Element): string | undefined {
  const words = kinds.get(element);
  return typeof words === 'string' ? words : undefined;
}

/** Options that the injecting host has set. */
function readOptions(value: unknown): InjectOptions {
  const given = typeof value === 'object' && value !== null ? value : {};
  const prefix: unknown = Reflect.get(given, 'prefix');
  const tell: unknown = Reflect.get(given, 'tell');
  const listeners: unknown = Reflect.get(given, 'listeners');
  const kinds: unknown = Reflect.get(given, 'kinds');
  const roots: unknown = Reflect.get(given, 'shadowRoots');
  return {
    ...(listeners instanceof WeakSet && { listenerHint: (element: Element) => listeners.has(element) }),
    ...(kinds instanceof WeakMap && { listenerKinds: (element: Element) => wordsIn(kinds, element) }),
    ...(roots instanceof WeakMap && { shadowRootOf: (element: Element) => shadowRootIn(roots, element) }),
    ...(Reflect.get(given, 'seesRequests') === true && { host: { seesRequests: true } }),
    prefix: typeof prefix === 'string' ? prefix : '',
    ...(typeof tell === 'function' && { tell: (notice) => void Reflect.apply(tell, undefined, [notice]) }),
  };
}
