import { isObject } from '@drawbridge/protocol/manifest';

/** A runtime's answer is data of another program: a missing or odd field reads as absent, and never throws. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  return inner;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = valueAt(value, ...path);
  return typeof text === 'string' ? text : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const number = valueAt(value, ...path);
  return typeof number === 'number' ? number : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((text) => typeof text === 'string');
}
