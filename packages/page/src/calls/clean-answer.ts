import type { PageErrorData } from '../locate/page-error.ts';
import type { TextCleaner } from '../page-internals.ts';

/** Evidence that repeats the call's arguments: masking it would reveal which of them is a secret. */
const ARGUMENTS: ReadonlySet<string> = new Set(['id', 'selector', 'xpath', 'frame', 'root_selector']);

/** Masks secrets in all texts of an answer. Numbers are places and lengths, and stay. */
export function cleanAnswer(answer: unknown, clean: TextCleaner, locator?: unknown): unknown {
  if (typeof answer === 'string') return clean(answer);
  if (Array.isArray(answer)) return answer.map((inner) => cleanAnswer(inner, clean, locator));
  return typeof answer === 'object' && answer !== null ? cleanFields(answer, clean, locator) : answer;
}

/** `locator` is the caller's own object, and stays unmasked. */
export function cleanError(
  { code, message, evidence }: PageErrorData,
  clean: TextCleaner,
  locator?: unknown,
): PageErrorData {
  return { code, message: clean(message), evidence: cleanEvidence(evidence, clean, locator) };
}

const ELEMENT_ID = /^(?:f\d+_)?\d+$/;

/** Names of our own fields: masked, an answer would not be what its schema says. */
const FIELD_NAME = /^[a-z_]+$/i;

/** Cleans other keys too: a record of the page may have any. */
function cleanFields(value: object, clean: TextCleaner, locator: unknown): Record<string, unknown> {
  const cleanField = ([key, inner]: [string, unknown]): [string, unknown] => {
    if (key === 'evidence' && typeof inner === 'object' && inner !== null)
      return [key, cleanEvidence(inner, clean, locator)];
    if (key === 'attributes' && typeof inner === 'object' && inner !== null)
      return [
        key,
        Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, cleanAnswer(value, clean)])),
      ];
    const isId = key === 'id' && typeof inner === 'string' && ELEMENT_ID.test(inner);
    return isId || isGiven(key, inner, locator)
      ? [key, inner]
      : [FIELD_NAME.test(key) ? key : clean(key), cleanAnswer(inner, clean, locator)];
  };
  return Object.fromEntries(Object.entries(value).map(cleanField));
}

function cleanEvidence(evidence: object, clean: TextCleaner, locator: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(evidence).map(([key, inner]: [string, unknown]) => {
      const isArgument = typeof inner === 'string' && ARGUMENTS.has(key);
      return [key, isArgument || isGiven(key, inner, locator) ? inner : cleanAnswer(inner, clean, locator)];
    }),
  );
}

/** Compares by identity, not by text: a page may repeat the caller's words. */
const isGiven = (key: string, value: unknown, locator: unknown): boolean =>
  key === 'locator' && typeof value === 'object' && value !== null && value === locator;
