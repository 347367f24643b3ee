import type { Manifest } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import { type MapChoice, type MapSource, UNKNOWN_YET } from '../maps/map-source.ts';
import type { Announcer } from './announcer.ts';
import type { WebTools } from './web-tools.ts';

export interface MapLoadingOptions {
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly webTools: WebTools;
  readonly announcer: Announcer;
  readonly isClosed: () => boolean;
  /** Adds the map's attachments to the page before the map is announced. */
  readonly prepare: (map: Manifest) => Promise<void>;
  /** Runs between the announcement and its status. */
  readonly afterAnnouncing: (choice: MapChoice) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Finds the map for the current address and announces both together. */
export type MapLoading = ReturnType<typeof createMapLoading>;

export function createMapLoading(options: MapLoadingOptions) {
  const { host, maps, webTools, announcer, isClosed, prepare, afterAnnouncing, onError } = options;
  let mapped: MapChoice = UNKNOWN_YET;
  let choice: MapChoice = UNKNOWN_YET;
  let generation = 0;
  let loading: Promise<void> = Promise.resolve();

  /** A page that is left before its map is loaded is not announced. */
  async function load(): Promise<void> {
    const mine = ++generation;
    const { url } = host.surface();
    const isOver = () => isClosed() || mine !== generation || host.surface().url !== url;
    const found = await maps.mapFor(url);
    if (isOver()) return;
    await webTools.refresh();
    if (isOver()) return;
    mapped = found;
    choice = webTools.addTo(mapped);
    if (choice.offer.ready) {
      announcer.withdraw();
      await prepare(choice.offer.map);
    }
    if (isOver()) return;
    // Includes tools that the page registered during the preparation, which were not announced yet.
    choice = webTools.addTo(mapped);
    announcer.announce();
    await afterAnnouncing(choice);
    await announcer.sendStatus(true);
  }

  function reload(): void {
    loading = load().catch(onError);
  }

  return {
    /** The applicable map, with the page's own tools. */
    choice: (): MapChoice => choice,
    done: (): Promise<void> => loading,
    reload,
    /** Tools of one document's map cannot be called on the next. */
    forget(): void {
      generation++;
      mapped = UNKNOWN_YET;
      choice = UNKNOWN_YET;
      announcer.withdraw();
    },
    /** Another address of the same document may have another map. */
    async follow(): Promise<void> {
      if (!announcer.announced()) return reload();
      const found = await maps.mapFor(host.surface().url);
      if (found.address !== choice.address) return reload();
      announcer.announce();
      await announcer.sendStatus();
    },
    /** Announces the tools again when the page has registered others. */
    async relist(): Promise<void> {
      if (!(await webTools.refresh()) || !announcer.announced()) return;
      choice = webTools.addTo(mapped);
      announcer.announce();
    },
  };
}
