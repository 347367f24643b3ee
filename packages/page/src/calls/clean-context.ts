import type { PageInternals, TextMask } from '../page-internals.ts';
import { moneyIn } from './amounts.ts';
import { cleanAnswer } from './clean-answer.ts';
import type { Covered, PageElementContext } from './element-context.ts';
import { tokenOf } from './fingerprint.ts';
import { namesWeight } from './form-submit.ts';

export type ElementContexts = PageElementContext | readonly PageElementContext[] | null;

/** Masks element contexts: for a person who is asked, or as for an agent. */
export function cleanContexts(
  contexts: ElementContexts,
  isAsked: boolean,
  internals: PageInternals,
): unknown {
  if (contexts === null) return null;
  const all = [contexts].flat().map((context) => cleanContext(context, isAsked, internals));
  return Array.isArray(contexts) ? all : all[0];
}

function cleanContext(context: PageElementContext, isAsked: boolean, internals: PageInternals): unknown {
  const { label, words, around, form, content } = context;
  const { maskSeen, maskForPerson } = internals;
  const weighty = new Set(
    content?.fields.flatMap(({ name, value }) => (namesWeight(name) ? [value] : [])) ?? [],
  );
  // A person must read how much and for whom, whatever code is the same.
  const keeps = (text: string) => (weighty.has(text) ? [[0, text.length] as const] : moneyIn(text));
  const mask: TextMask = isAsked ? (text) => maskForPerson(text, keeps) : maskSeen;
  const hidden: string[] = [];
  const cleaned = cleanAnswer(context, (text) => {
    const masked = mask(text);
    hidden.push(...masked.hidden);
    const isWhat = masked.hidden.length > 0 && text === form?.what;
    // Another form has another value there: a yes for one is none for the other.
    return isWhat ? `${masked.text}\n${tokenOf(text)}` : masked.text;
  });
  if (hidden.length === 0) return cleaned;
  const said = [label, ...words, ...(around?.asks ?? []), ...(around?.heads ?? []), ...(form?.texts ?? [])];
  const hasHidden = said.some((text) => mask(text).hidden.some((part) => /\p{L}/u.test(part)));
  const covered: Covered = { token: tokenOf(hidden.join('\n')), words: hasHidden };
  return { ...trustContext(cleaned), covered };
}

/** Masking keeps the fields. */
function trustContext(cleaned: unknown): object {
  return cleaned as object;
}
