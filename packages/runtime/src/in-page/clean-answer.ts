import type { PageErrorData, TextCleaner } from '@drawbridge/page';

/** An answer without secrets in any of its texts. Its numbers are places and lengths, and stay. */
export function cleanAnswer(answer: unknown, clean: TextCleaner): unknown {
  if (typeof answer === 'string') return clean(answer);
  if (Array.isArray(answer)) return answer.map((inner) => cleanAnswer(inner, clean));
  return typeof answer === 'object' && answer !== null ? cleanFields(answer, clean) : answer;
}

export function cleanError({ code, message, evidence }: PageErrorData, clean: TextCleaner): PageErrorData {
  return { code, message: clean(message), evidence: cleanFields(evidence, clean) };
}

/** Keys too: a record of the page may have any. */
function cleanFields(value: object, clean: TextCleaner): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clean(key), cleanAnswer(inner, clean)]),
  );
}
