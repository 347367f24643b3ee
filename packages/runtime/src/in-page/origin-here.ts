import type { InPageScene } from './scene.ts';

let last = { url: '', origin: '' };

/** The browser takes long to say it, for each press anew, and only another address has another one. */
export function originHere({ window, document }: InPageScene): string {
  const url = document.URL;
  if (url !== last.url) last = { url, origin: window.location.origin };
  return last.origin;
}
