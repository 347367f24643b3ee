import { endOfString, LIMITS, readJson } from '@drawbridge/protocol/manifest';
import { type JsonTree, keyFaults, readTree } from './json-tree.ts';
import { hasDuplicateKeys } from './key-count.ts';
import type { Path } from './path.ts';

/** A syntax problem of a map's text. */
export interface TextProblem {
  readonly code: 'invalid_json' | 'duplicate_key' | 'prototype_key' | 'too_large' | 'too_deep';
  readonly path: Path;
  readonly offset: number;
  readonly message: string;
}

export interface MapText {
  /** Absent when the text has no value that is safe to read. */
  readonly value?: unknown;
  readonly faults: readonly TextProblem[];
  /** Present when there are faults. */
  readonly tree?: JsonTree;
}

const MAX_FAULTS = 20;

export function readMapText(text: string, maxChars: number): MapText {
  const json = readJson(text, maxChars);
  if (json.ok && !hasDuplicateKeys(text, json.value)) return { value: json.value, faults: [] };
  if (text.length > maxChars)
    return {
      faults: [fault('too_large', 0, `is ${text.length} characters long; a map may have ${maxChars}`)],
    };
  const deep = firstTooDeep(text, LIMITS.depth.value);
  if (deep !== undefined)
    return { faults: [fault('too_deep', deep, `nests deeper than ${LIMITS.depth.value} levels here`)] };
  const tree = readTree(text);
  const faults = [...syntaxFaults(tree), ...faultyKeys(tree)];
  if (!json.ok)
    return { faults: faults.length > 0 ? faults : [fault('invalid_json', 0, 'This is not JSON')], tree };
  return { value: json.value, faults, tree };
}

const fault = (code: TextProblem['code'], offset: number, message: string, path: Path = []): TextProblem => ({
  code,
  path,
  offset,
  message,
});

const syntaxFaults = ({ faults }: JsonTree): TextProblem[] =>
  faults.slice(0, MAX_FAULTS).map(({ offset, message }) => fault('invalid_json', offset, message));

function faultyKeys({ root }: JsonTree): TextProblem[] {
  return [...keyFaults(root)].map(({ path, offset, kind }) =>
    kind === 'duplicate'
      ? fault('duplicate_key', offset, 'is written twice; only the last one would count', path)
      : fault(
          'prototype_key',
          offset,
          'is a key that reaches an object prototype, which is never allowed',
          path,
        ),
  );
}

/** The offset of the first bracket beyond the limit. */
function firstTooDeep(text: string, limit: number): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    } else if (character === '{' || character === '[') {
      depth++;
      if (depth > limit) return at;
    } else if (character === '}' || character === ']') depth--;
  }
  return undefined;
}
