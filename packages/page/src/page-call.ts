import { PageError, type PageErrorData } from './locate/page-error.ts';
import type { Page } from './page.ts';

export type PageAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: PageErrorData };

/**
 * Calls a method of the page by name, for a host that exchanges JSON only. Own methods only: `constructor` is
 * not one.
 */
export async function callPage(page: Page, name: string, args: readonly unknown[]): Promise<PageAnswer> {
  const method: unknown = Object.hasOwn(page, name) ? Reflect.get(page, name) : undefined;
  if (typeof method !== 'function') {
    const known = Object.keys(page).join(', ');
    return failure(new PageError('unknown_action', `The page has no such method. It has: ${known}.`));
  }
  try {
    return { ok: true, value: await Reflect.apply(method, page, [...args]) };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): PageAnswer {
  if (error instanceof PageError) return { ok: false, error: error.toJSON() };
  // The browser's message may repeat an argument.
  const message = `The page code failed (${error instanceof Error ? error.name : typeof error}). Take a new snapshot.`;
  return { ok: false, error: { code: 'handler_failed', message, evidence: {} } };
}
