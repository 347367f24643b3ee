import { isObject } from '@drawbridge/protocol/manifest';
import { jsonText } from '../json-value.ts';

/**
 * Numbers values so that equal data has equal numbers, regardless of key order. Each object is walked once,
 * so nested lists stay linear.
 */
export type ContentIds = (value: unknown) => number;

export function createContentIds(): ContentIds {
  const idOfText = new Map<string, number>();
  const known = new Map<unknown, number>();

  const idFor = (text: string): number => {
    const id = idOfText.get(text) ?? idOfText.size;
    idOfText.set(text, id);
    return id;
  };

  const idOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return idFor(jsonText(value));
    const id = known.get(value) ?? idFor(textOf(value));
    known.set(value, id);
    return id;
  };

  const textOf = (value: object): string => {
    if (Array.isArray(value)) return `[${value.map(idOf).join(',')}]`;
    if (!isObject(value)) return '{}';
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${idOf(value[key])}`).join(',')}}`;
  };

  return idOf;
}
