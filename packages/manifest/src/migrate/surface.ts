import { isObject, SAFE_IDENTIFIER } from '@drawbridge/protocol/manifest';
import { asFields, replaceField, short, type Upgrade, unusedName, withoutFields } from './change.ts';

const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}(:\d+)?$/i;
const ORIGIN = /^https?:\/\/[^/\s]+$/i;
const SAFE_ID = new RegExp(SAFE_IDENTIFIER);

/** Drafts described the surface by `site`, `surface` and `url_patterns`. */
export const upgradeSurface: Upgrade = (map, path, note) => {
  const { surface } = map;
  const here = [...path, 'surface'];
  if (typeof surface === 'string') {
    note(here, `${short(surface)} becomes its name`, 'surface is an object in version 1');
    return { ...map, surface: { name: surface } };
  }
  if (!isObject(surface)) return map;
  const upgrades = [upgradeSite, upgradeSurfaceName, keepPatterns];
  return {
    ...map,
    surface: upgrades.reduce((next, upgrade) => upgrade(next, here, note), asFields(surface)),
  };
};

const upgradeSite: Upgrade = (surface, path, note) => {
  const { site } = surface;
  if (typeof site !== 'string' || 'origin' in surface) return surface;
  const origin = ORIGIN.test(site) ? site : HOST.test(site) ? `https://${site}` : undefined;
  if (origin === undefined) return surface;
  note(
    [...path, 'site'],
    `becomes origin ${short(origin)}`,
    'version 1 names a site by its origin; https is what a bare host means',
  );
  return { origin, ...withoutFields(surface, ['site']) };
};

const upgradeSurfaceName: Upgrade = (surface, path, note) => {
  const { surface: name } = surface;
  if (typeof name !== 'string') return surface;
  const key = SAFE_ID.test(name) && !('surface_id' in surface) ? 'surface_id' : 'name';
  if (key in surface) return surface;
  note(
    [...path, 'surface'],
    `becomes ${key}`,
    'version 1 has surface_id for a stable identifier and name for people',
  );
  return replaceField(surface, 'surface', key, name);
};

const keepPatterns: Upgrade = (surface, path, note) => {
  let next = surface;
  for (const key of ['site', 'surface', 'url_patterns']) {
    if (!(key in next)) continue;
    const kept = unusedName(next, key);
    note(
      [...path, key],
      `is kept as ${kept}`,
      'surface is only metadata in version 1: where a map applies is said by a state of its tools’ targets',
    );
    next = replaceField(next, key, kept, next[key]);
  }
  return next;
};
