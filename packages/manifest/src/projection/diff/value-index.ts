import { isObject } from '@drawbridge/protocol/manifest';
import { jsonText } from '../json-value.ts';

/**
 * Numbers values so that equal data has equal numbers, and measures their JSON text. Each object is
 * walked once, however often it is asked for: comparing two trees level by level stays linear.
 */
export interface ValueIndex {
  readonly idOf: (value: unknown) => number;
  /** How many characters the value takes as JSON. */
  readonly lengthOf: (value: unknown) => number;
}

interface Entry {
  readonly id: number;
  readonly length: number;
}

export function createValueIndex(): ValueIndex {
  const idOfText = new Map<string, number>();
  const known = new Map<object, Entry>();

  const idFor = (text: string): number => {
    const id = idOfText.get(text) ?? idOfText.size;
    idOfText.set(text, id);
    return id;
  };

  const entryOf = (value: unknown): Entry => {
    if (typeof value !== 'object' || value === null) {
      const text = jsonText(value);
      return { id: idFor(text), length: text.length };
    }
    const entry = known.get(value) ?? (isObject(value) ? objectEntry(value) : listEntry(value));
    known.set(value, entry);
    return entry;
  };

  const objectEntry = (object: Record<string, unknown>): Entry => {
    let length = 2;
    const members = Object.keys(object).sort();
    const text = members.map((key) => {
      const name = JSON.stringify(key);
      const entry = entryOf(object[key]);
      length += name.length + 1 + entry.length;
      return `${name}:${entry.id}`;
    });
    return { id: idFor(`{${text.join(',')}}`), length: length + Math.max(0, members.length - 1) };
  };

  const listEntry = (list: object): Entry => {
    const items = Array.isArray(list) ? list.map(entryOf) : [];
    const length = items.reduce((sum, item) => sum + item.length, 2 + Math.max(0, items.length - 1));
    return { id: idFor(`[${items.map(({ id }) => id).join(',')}]`), length };
  };

  return { idOf: (value) => entryOf(value).id, lengthOf: (value) => entryOf(value).length };
}
