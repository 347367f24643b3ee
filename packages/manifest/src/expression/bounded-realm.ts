import { refuseLargeDocument, SizeLimit, type SizeLimits } from './size-limit.ts';

/**
 * Limits the size of a single allocation in the isolate's realm. An isolate that slowly exceeds its memory is
 * stopped alone, but one allocation of many megabytes at that point aborts the whole Node process ("Reached
 * heap limit"), regardless of `resourceLimits`.
 */
export function boundRealm(limits: SizeLimits): void {
  boundArrays(limits);
  boundTexts(limits);
  const { stringify } = JSON;
  define(JSON, 'stringify', (value: unknown, ...rest: unknown[]) => {
    refuseLargeDocument(value, limits);
    return Reflect.apply(stringify, JSON, [value, ...rest]);
  });
}

function boundArrays({ maxItems, maxChars }: SizeLimits): void {
  const NativeArray = Array;
  const { push, concat, join } = Array.prototype;

  // A function declaration can be called both with and without `new`.
  function BoundedArray(...items: unknown[]) {
    const [size] = items;
    if (items.length === 1 && typeof size === 'number' && size > maxItems) {
      throw new SizeLimit('A list', maxItems);
    }
    return Reflect.construct(NativeArray, items);
  }
  for (const key of Reflect.ownKeys(NativeArray)) {
    const descriptor = Object.getOwnPropertyDescriptor(NativeArray, key);
    if (key !== 'length' && key !== 'name' && descriptor !== undefined) {
      Object.defineProperty(BoundedArray, key, descriptor);
    }
  }
  define(globalThis, 'Array', BoundedArray);

  define(NativeArray.prototype, 'push', function (this: unknown[], ...items: unknown[]) {
    if (this.length + items.length > maxItems) throw new SizeLimit('A list', maxItems);
    return Reflect.apply(push, this, items);
  });
  define(NativeArray.prototype, 'concat', function (this: unknown[], ...others: unknown[]) {
    let size = this.length;
    for (const other of others) size += NativeArray.isArray(other) ? other.length : 1;
    if (size > maxItems) throw new SizeLimit('A list', maxItems);
    return Reflect.apply(concat, this, others);
  });
  define(NativeArray.prototype, 'join', function (this: unknown[], separator: unknown = ',') {
    let size = String(separator).length * this.length;
    for (let at = 0; at < this.length && size <= maxChars; at++) size += charsOf(this[at]);
    if (size > maxChars) throw new SizeLimit('A text', maxChars);
    return Reflect.apply(join, this, [separator]);
  });
}

const charsOf = (value: unknown): number => (typeof value === 'string' ? value.length : 1);

function boundTexts({ maxChars }: SizeLimits): void {
  const { concat, repeat } = String.prototype;
  define(String.prototype, 'concat', function (this: string, ...others: string[]) {
    let size = this.length;
    for (const other of others) size += charsOf(other);
    if (size > maxChars) throw new SizeLimit('A text', maxChars);
    return Reflect.apply(concat, this, others);
  });
  define(String.prototype, 'repeat', function (this: string, count: number) {
    if (this.length * count > maxChars) throw new SizeLimit('A text', maxChars);
    return Reflect.apply(repeat, this, [count]);
  });
}

function define(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true, enumerable: false, configurable: true });
}
