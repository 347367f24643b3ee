import type { FormSubmit } from '@drawbridge/page/calls';
import { saysCommit } from '@drawbridge/protocol/wording';

/** Permits every ordinary form of an origin: what "always" gives. */
export const ORDINARY_FORMS = 'form.submit';

/** Permits one form that "always" does not cover. */
const ONE_FORM = 'form.weighty';

export const isOrdinary = (name: string): boolean => name.startsWith(`${ORDINARY_FORMS}:`);

/** Permits one form: the same method, address, fields, hidden values, amounts and recipients have the same name. */
export async function formGrantName(
  { to, what, weighty, texts }: FormSubmit,
  origin?: string,
): Promise<string> {
  const isWeighty = weighty || to !== origin || texts.some((text) => saysCommit(text) || REMOVES.test(text));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(what));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${isWeighty ? ONE_FORM : ORDINARY_FORMS}:${hex.slice(0, 32)}`;
}

/** In addresses, which shorten it. */
const REMOVES = /\b(?:del|rm)\b/i;
