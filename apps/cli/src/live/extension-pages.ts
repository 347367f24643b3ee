import type { SurfaceSource } from '@drawbridge/runtime/node';

type Surface = ReturnType<SurfaceSource['surfaces']>[number];

const isExtensionPage = (url: string): boolean => url.startsWith('chrome-extension:');

/** Releases tabs with extension pages: people decide there, so no agent may read or press. */
export function keepExtensionPages(browser: SurfaceSource): void {
  const keep = (surface: Surface): void => {
    const giveBack = (url: string): void => {
      // May be gone already.
      if (isExtensionPage(url)) surface.close().catch(() => {});
    };
    giveBack(surface.surface().url);
    surface.onEvent((event) => {
      if (event.kind === 'ready' || event.kind === 'moved') giveBack(event.url);
    });
  };
  for (const surface of browser.surfaces()) keep(surface);
  browser.onSurface(({ kind, surface }) => {
    if (kind === 'added') keep(surface);
  });
}
