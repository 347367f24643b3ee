import jsonata from 'jsonata';
import { base64Decode, base64Encode } from './base64.ts';
import { SizeLimit, type SizeLimits } from './size-limit.ts';

/** Every function of JSONata 2.2.2 whose result depends only on its arguments. */
export const BUILT_INS = [
  ...['sum', 'count', 'max', 'min', 'average', 'string', 'substring', 'substringBefore', 'substringAfter'],
  ...['lowercase', 'uppercase', 'length', 'trim', 'pad', 'match', 'contains', 'replace', 'split', 'join'],
  ...['formatNumber', 'formatBase', 'formatInteger', 'parseInteger', 'number', 'floor', 'ceil', 'round'],
  ...['abs', 'sqrt', 'power', 'boolean', 'not', 'map', 'zip', 'filter', 'single', 'reduce', 'sift', 'keys'],
  ...['lookup', 'append', 'exists', 'spread', 'merge', 'reverse', 'each', 'error', 'assert', 'type', 'sort'],
  ...['shuffle', 'distinct', 'base64encode', 'base64decode', 'encodeUrlComponent', 'encodeUrl'],
  ...['decodeUrlComponent', 'decodeUrl', 'toMillis', 'fromMillis', 'clone'],
] as const;

type Implementation = (this: unknown, ...args: unknown[]) => unknown;

const REPLACED: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['base64encode', (text) => (typeof text === 'string' ? base64Encode(text) : undefined)],
  ['base64decode', (text) => (typeof text === 'string' ? base64Decode(text) : undefined)],
]);

/**
 * Bounds and freezes JSONata's functions once for the realm, because all expressions share the same function
 * objects.
 */
export async function sealBuiltIns(limits: SizeLimits): Promise<void> {
  for (const name of BUILT_INS) {
    const definition: unknown = await jsonata(`$${name}`).evaluate(undefined);
    if (typeof definition !== 'object' || definition === null) throw new Error(`JSONata has no $${name}`);
    const original: Implementation = Reflect.get(definition, 'implementation');
    const implementation = bounded(REPLACED.get(name) ?? original, original, limits);
    Object.defineProperties(definition, {
      implementation: { value: implementation, writable: false, configurable: false },
      signature: { writable: false, configurable: false },
      _jsonata_function: { writable: false, configurable: false },
      // The evaluator writes to these on each call.
      token: { value: name, writable: true, enumerable: false, configurable: false },
      position: { value: 0, writable: true, enumerable: false, configurable: false },
    });
    Object.preventExtensions(definition);
  }
}

function bounded(work: Implementation, original: Implementation, { maxChars }: SizeLimits): Implementation {
  const check = <T>(value: T): T => {
    if (typeof value === 'string' && value.length > maxChars) throw new SizeLimit('A text', maxChars);
    return value;
  };
  const wrapper: Implementation = function (...args) {
    args.forEach(check);
    const result = Reflect.apply(work, this, args);
    return result instanceof Promise ? result.then(check) : check(result);
  };
  // JSONata reads parameter names from a function's source for partial application.
  return Object.defineProperties(wrapper, {
    length: { value: original.length },
    toString: { value: () => String(original) },
  });
}
