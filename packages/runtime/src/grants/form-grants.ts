import type { FormSubmit } from '../in-page/form-submit.ts';

/** Permits every form of an origin that has no secret and does nothing irreversible: what "always" gives. */
export const ORDINARY_FORMS = 'form.submit';

/** Permits one form: the same method, address, fields, hidden values and amounts have the same name. */
export async function formGrantName({ what }: FormSubmit): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(what));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${ORDINARY_FORMS}:${hex.slice(0, 32)}`;
}
