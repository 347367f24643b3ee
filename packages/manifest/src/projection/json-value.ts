import { isObject } from '@drawbridge/protocol/manifest';

/** JSON values in which a key such as `__proto__` is ordinary data. */

export type JsonObject = Record<string, unknown>;

/** Assigning to `__proto__` would set the prototype and lose the value. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setKey(copy, key, copyJson(value[key]));
  return copy;
}

/** An expression without a result gives `null`. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** The same text for equal data, regardless of key order. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (!isObject(value)) return jsonText(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${members.join(',')}}`;
}
