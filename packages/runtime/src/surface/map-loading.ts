import type { Manifest } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import { type MapChoice, type MapSource, UNKNOWN_YET } from '../maps/map-source.ts';
import type { Announcer } from './announcer.ts';
import type { WebToolDesk } from './web-tool-desk.ts';

export interface MapLoadingOptions {
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly webTools: WebToolDesk;
  readonly announcer: Announcer;
  readonly isClosed: () => boolean;
  /** Puts onto the page what the map has there, before anybody is told that it can be used. */
  readonly prepare: (map: Manifest) => Promise<void>;
  /** After it was announced, and before its status is told. */
  readonly afterAnnouncing: (choice: MapChoice) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Finds the map for where the page is now, and announces the two together. */
export interface MapLoading {
  /** Which map applies, with the tools of the page itself. */
  readonly choice: () => MapChoice;
  readonly done: () => Promise<void>;
  readonly reload: () => void;
  /** What the map of one document declares is not called on the next. */
  readonly forget: () => void;
  /** The same document at another address may fall under another map. */
  readonly follow: () => Promise<void>;
  /** The page may have registered other tools: then what can be called is announced anew. */
  readonly relist: () => Promise<void>;
}

export function createMapLoading(options: MapLoadingOptions): MapLoading {
  const { host, maps, webTools, announcer, isClosed, prepare, afterAnnouncing, onTrouble } = options;
  let mapped: MapChoice = UNKNOWN_YET;
  let choice: MapChoice = UNKNOWN_YET;
  let generation = 0;
  let loading: Promise<void> = Promise.resolve();

  /** A page that is left before its map is loaded gets no announcement. */
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
    // What the page registered meanwhile was listed, and not announced: nothing was yet.
    choice = webTools.addTo(mapped);
    announcer.announce();
    await afterAnnouncing(choice);
    await announcer.tellStatus(true);
  }

  function reload(): void {
    loading = load().catch(onTrouble);
  }

  return {
    choice: () => choice,
    done: () => loading,
    reload,
    forget() {
      generation++;
      mapped = UNKNOWN_YET;
      choice = UNKNOWN_YET;
      announcer.withdraw();
    },
    async follow() {
      if (!announcer.announced()) return reload();
      const found = await maps.mapFor(host.surface().url);
      if (found.address !== choice.address) return reload();
      announcer.announce();
      await announcer.tellStatus();
    },
    async relist() {
      if (!(await webTools.refresh()) || !announcer.announced()) return;
      choice = webTools.addTo(mapped);
      announcer.announce();
    },
  };
}
