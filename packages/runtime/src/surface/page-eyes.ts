import {
  type Extraction,
  type Extractor,
  type Found,
  type PageProbe,
  shapeRecords,
} from '@drawbridge/manifest';
import type { SurfaceHost } from '../host.ts';

/** How the map engine looks at the live page. The page's answers are our own page code's: they are trusted to fit. */
export function probeOf(host: SurfaceHost): PageProbe {
  return {
    url: async () => host.surface().url,
    find: async (target) => (await host.callPage('find', [target])) as Found,
  };
}

export function extractorOf(host: SurfaceHost): Extractor {
  return {
    extract: async (entries): Promise<Extraction> =>
      shapeRecords(
        entries,
        (await host.callPage('extract', [entries])) as Parameters<typeof shapeRecords>[1],
      ),
  };
}
