import {
  type Extraction,
  type Extractor,
  type Found,
  type PageProbe,
  shapeRecords,
} from '@drawbridge/manifest';
import type { SurfaceHost } from '../host.ts';

/** The map engine's access to the live page. Answers come from our own page code and are trusted. */
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
