import { type MapOffer, NO_MAP, offerMap, type SpeaksFor, type Trust } from '@drawbridge/manifest';

/** The map of one page, and the reason for its choice. */
export interface MapChoice {
  readonly offer: MapOffer;
  /** How far the map's claims about itself are trusted. */
  readonly trust: Trust;
  /** Origin of the map: `storage:private/…`, `local:…`, `website`; absent when the page has none. */
  readonly address?: string;
  /** All matching maps, the chosen one first. */
  readonly candidates: readonly string[];
  /** Parts left out: unreadable imports, clashes. */
  readonly problems: readonly string[];
  /** Tools that each check covers, for a map composed of several. */
  readonly speaksFor?: SpeaksFor;
  /** Trust of an imported tool, never higher than that of its import. */
  readonly trustOfTool?: (tool: string) => Trust;
  /** Tools that the page itself registered, which nobody vouched for under any map. */
  readonly webTools?: ReadonlySet<string>;
  /** Fails once for a tool of the page that has changed since it was announced, with its new form (BRG-159). */
  readonly requireShown?: (tool: string) => void;
}

export const trustOf = ({ trust, trustOfTool, webTools }: MapChoice, tool: string): Trust =>
  webTools?.has(tool) === true ? 'website' : (trustOfTool?.(tool) ?? trust);

/** Decides which map applies to a page, for all hosts. */
export interface MapSource {
  readonly mapFor: (url: string) => Promise<MapChoice>;
  /** A map was edited, added or removed: choose again. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => void;
}

export const UNKNOWN_YET: MapChoice = { offer: NO_MAP, trust: 'unknown', candidates: [], problems: [] };

/** A page without a map still has the primitives. */
export const NO_MAP_HERE: MapChoice = {
  offer: offerMap({ protocol: 'actions.json', version: 1, tools: [] }),
  trust: 'private',
  candidates: [],
  problems: [],
};

/** Whether a map is for this page. An invalid one blocks others and reports its problems. */
export function fitsPage({ offer }: MapChoice, url: string): boolean {
  const origin = offer.ready ? offer.map.surface?.origin : undefined;
  return origin === undefined || (URL.canParse(url) && new URL(url).origin === new URL(origin).origin);
}

/** One map for every page that it fits, such as that of an embed's site. */
export function singleMap(source: unknown, trust: Trust = 'private'): MapSource {
  const choice: MapChoice = { offer: offerMap(source), trust, candidates: [], problems: [] };
  return {
    mapFor: async (url) => (fitsPage(choice, url) ? choice : NO_MAP_HERE),
    onChange: () => () => {},
    close: () => {},
  };
}

export const noMaps: MapSource = {
  mapFor: async () => NO_MAP_HERE,
  onChange: () => () => {},
  close: () => {},
};
