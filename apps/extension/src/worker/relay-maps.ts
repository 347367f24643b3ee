import { offerMap, type Trust } from '@drawbridge/manifest';
import { type MapChoice, type MapSource, noMaps } from '@drawbridge/runtime';
import type { Pairing } from '../wire.ts';

const FETCH_MS = 5_000;
const TRUSTS: readonly Trust[] = ['private', 'local', 'shared', 'public', 'website', 'unknown'];

/** The relay's maps for a page, with resolved imports. Without a relay or a map: primitives only. */
export function relayMaps(pairing: () => Pairing | null): MapSource & { readonly changed: () => void } {
  const listeners = new Set<() => void>();
  return {
    async mapFor(url) {
      const known = pairing();
      const found = known === null ? undefined : await ask(known, url).catch(() => undefined);
      return found ?? noMaps.mapFor(url);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
  };
}

async function ask({ url: relay, token }: Pairing, url: string): Promise<MapChoice | undefined> {
  const response = await fetch(`${relay}/api/maps/for?url=${encodeURIComponent(url)}`, {
    headers: { authorization: `Bearer ${token}` },
    credentials: 'omit',
    signal: AbortSignal.timeout(FETCH_MS),
  });
  if (!response.ok) return undefined;
  const said: unknown = await response.json();
  const field = (name: string): unknown =>
    typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined;
  const map = field('map');
  if (map === undefined || map === null) return undefined;
  const address = field('address');
  const tools = new Map(Object.entries(Object(field('tool_trust'))));
  const trust = trustIn(field('trust'));
  return {
    offer: offerMap(map),
    trust,
    ...(typeof address === 'string' && { address }),
    candidates: [],
    problems: [],
    trustOfTool: (tool) => (tools.has(tool) ? trustIn(tools.get(tool)) : trust),
  };
}

/** Unknown words get the lowest trust. */
const trustIn = (value: unknown): Trust => TRUSTS.find((trust) => trust === value) ?? 'unknown';
