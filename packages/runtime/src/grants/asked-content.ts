import { type AskedContent, type AskedField, sameButForClocks } from '@drawbridge/page/calls';
import { isObject } from '@drawbridge/protocol/manifest';

export type { AskedContent, AskedField };

/** Parses content from page code; undefined when it is malformed. */
export function readContent(value: unknown): AskedContent | undefined {
  if (!isObject(value)) return undefined;
  const { url, method, fields, amounts, goods, text } = value;
  return {
    ...(typeof url === 'string' && url !== '' && { url }),
    ...(typeof method === 'string' && { method }),
    fields: Array.isArray(fields) ? fields.flatMap(readField) : [],
    amounts: readLines(amounts),
    ...(goods !== undefined && { goods: readLines(goods) }),
    text: typeof text === 'string' ? text : '',
  };
}

const readLines = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

function readField(value: unknown): AskedField[] {
  if (!isObject(value)) return [];
  const { name, value: held, token, shown, hidden } = value;
  if (typeof name !== 'string' || typeof held !== 'string') return [];
  return [
    {
      name,
      value: held,
      ...(typeof token === 'string' && { token }),
      shown: shown === true,
      ...(hidden === true && { hidden }),
    },
  ];
}

export function sameContent(
  before: AskedContent | undefined,
  now: AskedContent | undefined,
  elapsedMs: number,
): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (
    before.url === now.url &&
    before.method === now.method &&
    JSON.stringify([before.amounts, before.goods]) === JSON.stringify([now.amounts, now.goods]) &&
    JSON.stringify(before.fields) === JSON.stringify(now.fields) &&
    sameButForClocks(before.text, now.text, elapsedMs)
  );
}
