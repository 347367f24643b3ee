import { PageError } from './page-error.ts';

interface Here {
  readonly document: Document;
}

let last = { url: '', origin: '' };

/** Cached by address: the browser computes it slowly, and every press needs it. */
export function originHere({ document }: Here): string {
  const url = document.URL;
  if (url !== last.url) last = { url, origin: document.location.origin };
  return last.origin;
}

/** Refuses a call meant for another origin. */
export function requireOrigin(options: unknown, here: Here): void {
  const meant: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'origin') : undefined;
  if (meant === undefined) return;
  const origin = originHere(here);
  if (meant === origin) return;
  const message = `This was meant for another origin, and the page is at ${origin} now.`;
  throw new PageError('state_mismatch', message, { reason: 'changed_origin', origin });
}
