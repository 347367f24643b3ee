import { PageError } from '../locate/page-error.ts';
import type { InPageContext } from './in-page-context.ts';

let last = { url: '', origin: '' };

/** Cached by address: the browser computes it slowly, and every press needs it. */
export function originHere({ window, document }: InPageContext): string {
  const url = document.URL;
  if (url !== last.url) last = { url, origin: window.location.origin };
  return last.origin;
}

/** Refuses a call meant for another origin. */
export function requireOrigin(options: unknown, context: InPageContext): void {
  const meant: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'origin') : undefined;
  if (meant === undefined) return;
  const origin = originHere(context);
  if (meant === origin) return;
  const message = `This was meant for another origin, and the page is at ${origin} now.`;
  throw new PageError('state_mismatch', message, { reason: 'changed_origin', origin });
}
