import type { PageErrorData, TextCleaner } from '@drawbridge/page';

/** Fields that hold an address or the caller's own words: a mask over `#password2` would make them useless. */
const ADDRESSES = new Set(['locator', 'selector', 'selector_path', 'url', 'to']);

/** An answer without secrets in any of its texts. Its numbers are places and lengths, and stay. */
export function cleanAnswer(answer: unknown, { held, said }: TextCleaner): unknown {
  return withTexts(answer, said, held);
}

/** The page code takes secrets out of what its errors quote; what is left are words of ours and addresses. */
export function cleanError(error: PageErrorData, { held }: TextCleaner): PageErrorData {
  const { code, message, evidence } = error;
  return { code, message: held(message), evidence: fieldsWith(evidence, held, held) };
}

type Clean = (text: string) => string;

function withTexts(value: unknown, clean: Clean, cleanAddress: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => withTexts(inner, clean, cleanAddress));
  return typeof value === 'object' && value !== null ? fieldsWith(value, clean, cleanAddress) : value;
}

function fieldsWith(value: object, clean: Clean, cleanAddress: Clean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      withTexts(inner, ADDRESSES.has(key) ? cleanAddress : clean, cleanAddress),
    ]),
  );
}
