import { createHash } from 'node:crypto';
import type { RuntimeView } from '@drawbridge/bridge';
import type { MapOfTab, MapView } from '@drawbridge/protocol/http';
import { isObject } from '@drawbridge/protocol/manifest';

interface MapsView {
  readonly maps: readonly MapView[];
  readonly runtimes: readonly MapOfTab[];
}

/** Maps of the connected tabs. BRG-14: their shape was not checked here. */
export function mapsOf(tabs: readonly RuntimeView[]): MapsView {
  const maps = new Map<string, MapView>();
  const runtimes = tabs.map(({ runtime_id, ready, status }) => {
    const url = status?.url ?? ready.url;
    const map = ready.manifest && viewOf(ready.manifest, url);
    if (map !== undefined) {
      const known = maps.get(map.map_id) ?? map;
      maps.set(map.map_id, { ...known, runtimes: [...known.runtimes, runtime_id] });
    }
    return { runtime_id, title: ready.title ?? url, url, map_id: map?.map_id ?? null };
  });
  return { maps: [...maps.values()], runtimes };
}

/** How the map of a tab describes its tools, by their names. */
export const toolsOf =
  (tab: RuntimeView | undefined) =>
  (name: string): string | undefined => {
    const tool = objectsIn(tab?.ready.manifest?.['tools']).find((each) => each['name'] === name);
    return textOf(tool?.['description']) ?? undefined;
  };

const EFFECTS = ['read', 'act', 'irreversible'] as const;

function viewOf(manifest: Readonly<Record<string, unknown>>, url: string): MapView {
  const surface = isObject(manifest['surface']) ? manifest['surface'] : {};
  const version = manifest['version'];
  const site = textOf(surface['origin']);
  const shown = {
    name: textOf(surface['name']) ?? textOf(surface['surface_id']) ?? site ?? url,
    version: typeof version === 'number' ? version : null,
    site,
    description: textOf(surface['description']),
    tools: objectsIn(manifest['tools']).flatMap((tool) => {
      const name = textOf(tool['name']);
      const actions = isObject(tool['x_actions']) ? tool['x_actions'] : {};
      const effect = EFFECTS.find((each) => each === actions['effect']) ?? null;
      return name === null ? [] : [{ name, description: textOf(tool['description']) ?? '', effect }];
    }),
    checks: objectsIn(manifest['checks']).flatMap((check) => {
      const id = textOf(check['id']);
      const [description, severity] = [textOf(check['description']), textOf(check['severity'])];
      return id === null ? [] : [{ id, description, severity }];
    }),
    states: objectsIn(manifest['states']).flatMap((state) => textOf(state['name']) ?? []),
  };
  const map_id = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 16);
  return { map_id, ...shown, runtimes: [] };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((each) => isObject(each)) : [];
