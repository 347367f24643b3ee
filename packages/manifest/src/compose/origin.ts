import type { Import } from '@drawbridge/protocol/manifest';

export type Trust = NonNullable<Import['trust']>;

/** From the least to the most trusted. */
const TRUST_ORDER: readonly Trust[] = ['unknown', 'public', 'website', 'shared', 'local', 'private'];

/** One import in the chain from the root map to a part. */
export interface ImportLink {
  readonly id: string;
  readonly kind: Import['kind'];
  /** The uri as the importing map writes it. */
  readonly uri: string;
  /** The uri resolved against the importing map. */
  readonly address: string;
  readonly namespace?: string;
  /** Never more than the importing map's own trust: a public map cannot make another one private. */
  readonly trust: Trust;
  readonly provenance?: Readonly<Record<string, unknown>>;
}

/** Where a composed part comes from. The root map has an empty chain. */
export interface Origin {
  readonly chain: readonly ImportLink[];
  readonly trust: Trust;
  readonly address: string;
  /** The declaring map's own provenance; the importer's is in the chain. */
  readonly provenance?: Readonly<Record<string, unknown>>;
  /** The part's name in the map that declares it. */
  readonly name: string;
}

/** Whether a source may add parts. */
export type TrustPolicy = (link: ImportLink) => boolean;

/** Refuses sources of unknown trust unless a host allows them. */
export const DEFAULT_TRUST_POLICY: TrustPolicy = ({ trust }) => trust !== 'unknown';

export function allowTrust(...allowed: readonly Trust[]): TrustPolicy {
  return ({ trust }) => allowed.includes(trust);
}

export function lesserTrust(one: Trust, other: Trust): Trust {
  return TRUST_ORDER.indexOf(one) <= TRUST_ORDER.indexOf(other) ? one : other;
}

/** Whether the part with this chain belongs to the map with the other chain, or to one of its imports. */
export function isWithin(chain: readonly ImportLink[], map: readonly ImportLink[]): boolean {
  return map.every((link, depth) => chain[depth] === link);
}
