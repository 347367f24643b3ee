import type { FormSubmit } from '../in-page/form-submit.ts';

/** Grant name for every form of an origin without secrets or irreversible effect; the meaning of "always". */
export const ORDINARY_FORMS = 'form.submit';

/** Grant name for one form, derived from its method, address, fields, hidden values and amounts. */
export async function formGrantName({ what }: FormSubmit): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(what));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${ORDINARY_FORMS}:${hex.slice(0, 32)}`;
}
