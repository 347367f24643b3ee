/**
 * Reduces an isolate's realm to the frozen language built-ins. An expression should never reach a native
 * object; one that does finds no `Function`, no `process` and no `fetch`, and cannot change anything for the
 * next expression.
 */
export function lockRealm(): void {
  removeCodeMakers();
  removeHostGlobals();
  Reflect.deleteProperty(Object.prototype, '__proto__');
  for (const prototype of [Object.prototype, ...errorPrototypes()]) allowOwnNames(prototype);
  for (const name of LANGUAGE_GLOBALS) freezeWithPrototype(Reflect.get(globalThis, name));
  for (const prototype of hiddenPrototypes()) Object.freeze(prototype);
}

const LANGUAGE_GLOBALS = [
  ...['Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'JSON', 'Math', 'Reflect', 'Iterator'],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'],
  ...['AggregateError', 'ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray'],
  ...['Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array'],
  ...['BigInt64Array', 'BigUint64Array', 'parseInt', 'parseFloat', 'isNaN', 'isFinite'],
  ...['encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent'],
] as const;

const errorPrototypes = () =>
  [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError].map(
    ({ prototype }) => prototype,
  );

const KEPT: ReadonlySet<string> = new Set([
  ...LANGUAGE_GLOBALS,
  ...['globalThis', 'undefined', 'NaN', 'Infinity'],
]);

/** Includes inherited globals: a browser has `fetch` on a prototype of its worker's scope. */
function removeHostGlobals(): void {
  let scope: object | null = globalThis;
  while (scope !== null && scope !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(scope)) {
      if (KEPT.has(name)) continue;
      if (!Reflect.deleteProperty(scope, name)) Reflect.set(scope, name, undefined);
    }
    scope = Object.getPrototypeOf(scope);
  }
}

/**
 * Removes `Function` and its three variants, which compile text, from the prototype of each kind of function.
 */
function removeCodeMakers(): void {
  for (const kind of functionKinds()) {
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined });
  }
}

const functionKinds = () => [() => {}, async () => {}, function* () {}, async function* () {}];

function hiddenPrototypes(): object[] {
  const iterators = [[][Symbol.iterator](), ''[Symbol.iterator](), new Map().keys(), new Set().keys()];
  const ofFunctions = functionKinds().map((kind) => Object.getPrototypeOf(kind));
  const ofGenerators = ofFunctions.map((prototype) => prototype.prototype);
  const own = iterators.map((iterator) => Object.getPrototypeOf(iterator));
  const shared = own.map((prototype) => Object.getPrototypeOf(prototype));
  const typedArray = Object.getPrototypeOf(Uint8Array);
  return [...ofFunctions, ...ofGenerators, ...own, ...shared, typedArray, typedArray.prototype].filter(
    (value) => typeof value === 'object' || typeof value === 'function',
  );
}

function freezeWithPrototype(value: unknown): void {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return;
  Object.freeze(value);
  const prototype: unknown = Reflect.get(value, 'prototype');
  if (typeof prototype === 'object' && prototype !== null) Object.freeze(prototype);
}

/**
 * On a frozen prototype, assigning `toString` to a plain `{}` would fail. Accessors that define the value on
 * the object itself keep that working.
 */
function allowOwnNames(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
    if (descriptor === undefined || !('value' in descriptor)) continue;
    const inherited: unknown = descriptor.value;
    Object.defineProperty(prototype, key, {
      get: () => inherited,
      set(this: object, value: unknown) {
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
      enumerable: false,
      configurable: false,
    });
  }
}
