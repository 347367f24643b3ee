import { type MapOffer, NO_MAP, offerMap, type SpeaksFor, type Trust } from '@drawbridge/manifest';

/** The map of one page, and why it is that one. */
export interface MapChoice {
  readonly offer: MapOffer;
  /** How far what the map says of itself is believed. */
  readonly trust: Trust;
  /** Where it came from: `storage:private/…`, `local:…`, `website`; absent when the page has none. */
  readonly address?: string;
  /** Every map that would have fitted, the chosen one first. */
  readonly candidates: readonly string[];
  /** What was left out of it: imports that could not be read, parts that clash. */
  readonly problems: readonly string[];
  /** Which tools a check speaks for, where the map was put together from several. */
  readonly speaksFor?: SpeaksFor;
  /** How far an imported tool is believed: never more than what it was imported as. */
  readonly trustOfTool?: (tool: string) => Trust;
  /** The tools that the page itself has registered: nobody here vouched for those, whatever the map is. */
  readonly webTools?: ReadonlySet<string>;
}

/** How far what is said of one tool is believed. */
export const trustOf = ({ trust, trustOfTool, webTools }: MapChoice, tool: string): Trust =>
  webTools?.has(tool) === true ? 'website' : (trustOfTool?.(tool) ?? trust);

/** Decides which map applies to a page. One place for all hosts. */
export interface MapSource {
  readonly mapFor: (url: string) => Promise<MapChoice>;
  /** A map was edited, added or taken away: ask again. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => void;
}

export const UNKNOWN_YET: MapChoice = { offer: NO_MAP, trust: 'unknown', candidates: [], problems: [] };

/** A page that nobody wrote a map for still has the primitives. */
export const NO_MAP_HERE: MapChoice = {
  offer: offerMap({ protocol: 'actions.json', version: 1, tools: [] }),
  trust: 'private',
  candidates: [],
  problems: [],
};

/** Whether a map is for this page. An invalid one stands in the way of others, and says what is wrong with it. */
export function fitsPage({ offer }: MapChoice, url: string): boolean {
  const origin = offer.ready ? offer.map.surface?.origin : undefined;
  return origin === undefined || (URL.canParse(url) && new URL(url).origin === new URL(origin).origin);
}

/** One map for every page that it fits, such as the one of an embed's own site. */
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
