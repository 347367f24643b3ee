import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import type { InPageContext } from './in-page-context.ts';
import { cut } from './readable-text.ts';

const BODY_CHARS = 200_000;

/** Masks a response body. Secret fields of a page that nobody has opened hold secrets all the same. */
export function cleanBody(body: string, pageInternals: InPageContext['pageInternals']): string {
  const fetched = /<(?:input|textarea)\b/i.test(body)
    ? new DOMParser().parseFromString(body, 'text/html')
    : undefined;
  return pageInternals.cleaner(fetched)(body);
}

/** `mode: 'same-origin'` also refuses cross-origin redirects. */
export async function fetchPage(
  { url }: InputOf<'page.fetch'>,
  { document, window, pageInternals }: InPageContext,
): Promise<OutputOf<'page.fetch'>> {
  const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : undefined;
  if (address === undefined || address.origin !== window.location.origin) {
    const message = `Only addresses of ${window.location.origin} can be fetched from this page.`;
    throw new PageError('permission_denied', message, { reason: 'page_fetch_cross_origin' });
  }
  try {
    const response = await window.fetch(address, { mode: 'same-origin', credentials: 'same-origin' });
    const body = await response.text();
    const text = cleanBody(body, pageInternals);
    return {
      ok: response.ok,
      status: response.status,
      content_type: response.headers.get('content-type') ?? '',
      length: text.length,
      body: cut(text, BODY_CHARS),
      truncated: text.length > BODY_CHARS,
    };
  } catch {
    const message =
      'The address could not be fetched: it failed, or led to another origin. Check it, or open it in a tab.';
    throw new PageError('handler_failed', message, { reason: 'page_fetch_failed' });
  }
}
