import type { SurfaceSource } from '@drawbridge/runtime/node';

type Surface = ReturnType<SurfaceSource['surfaces']>[number];

const isExtensionPage = (url: string): boolean => url.startsWith('chrome-extension:');

/** In an extension's pages people decide, so no agent reads or presses there: such a tab is given back. */
export function keepExtensionPages(browser: SurfaceSource): void {
  const keep = (surface: Surface): void => {
    const giveBack = (url: string): void => {
      // It may have gone by itself.
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
