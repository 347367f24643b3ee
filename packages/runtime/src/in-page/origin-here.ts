import { PageError } from '@drawbridge/page';
import type { InPageScene } from './scene.ts';

let last = { url: '', origin: '' };

/** The browser takes long to say it, for each press anew, and only another address has another one. */
export function originHere({ window, document }: InPageScene): string {
  const url = document.URL;
  if (url !== last.url) last = { url, origin: window.location.origin };
  return last.origin;
}

/** Refuses what was meant for a page of another origin. */
export function requireOrigin(options: unknown, scene: InPageScene): void {
  const meant: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'origin') : undefined;
  if (meant === undefined) return;
  const origin = originHere(scene);
  if (meant === origin) return;
  const message = `This was meant for another origin, and the page is at ${origin} now.`;
  throw new PageError('state_mismatch', message, { reason: 'changed_origin', origin });
}
