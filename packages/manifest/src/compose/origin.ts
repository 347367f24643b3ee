import type { Import } from '@drawbridge/protocol/manifest';

export type Trust = NonNullable<Import['trust']>;

/** From the least to the most trusted. */
const TRUST_ORDER: readonly Trust[] = ['unknown', 'public', 'website', 'shared', 'local', 'private'];

/** One import on the way from the map at the root to a part. */
export interface ImportLink {
  readonly id: string;
  readonly kind: Import['kind'];
  /** The uri as the importing map writes it. */
  readonly uri: string;
  /** Where that leads, seen from the map that says it. */
  readonly address: string;
  readonly namespace?: string;
  /** Never more than that of the map that imports it: a public map cannot make another one private. */
  readonly trust: Trust;
  readonly provenance?: Readonly<Record<string, unknown>>;
}

/** Where a composed part comes from. An empty chain is the root map itself. */
export interface Origin {
  readonly chain: readonly ImportLink[];
  readonly trust: Trust;
  readonly address: string;
  /** What the map that declares it says of itself; what its importer says stands in the chain. */
  readonly provenance?: Readonly<Record<string, unknown>>;
  /** What the part is called in the map that declares it. */
  readonly name: string;
}

/** Whether a source may add anything at all. */
export type TrustPolicy = (link: ImportLink) => boolean;

/** Sources that nobody vouched for stay out unless a host says otherwise. */
export const DEFAULT_TRUST_POLICY: TrustPolicy = ({ trust }) => trust !== 'unknown';

export function allowTrust(...allowed: readonly Trust[]): TrustPolicy {
  return ({ trust }) => allowed.includes(trust);
}

export function lesserTrust(one: Trust, other: Trust): Trust {
  return TRUST_ORDER.indexOf(one) <= TRUST_ORDER.indexOf(other) ? one : other;
}

/** Whether something that came by one chain belongs to the map that came by the other, or to its imports. */
export function isWithin(chain: readonly ImportLink[], map: readonly ImportLink[]): boolean {
  return map.every((link, depth) => chain[depth] === link);
}
