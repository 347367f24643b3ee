import { BridgeError } from '@drawbridge/protocol';
import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import { isCallable } from '../site/site-listing.ts';
import type { MapProblem } from '../validate/finding.ts';
import { type ValidateOptions, validate } from '../validate/validate.ts';

/** The part of a map that a surface offers: the whole map once it is validated, or nothing. */
export type MapOffer =
  | { readonly ready: true; readonly map: Manifest; readonly warnings: readonly MapProblem[] }
  | { readonly ready: false; readonly errors: readonly MapProblem[] };

export const NO_MAP: MapOffer = { ready: false, errors: [] };

/** Replaces the previous offer, whether the edited map is valid or not. */
export function offerMap(source: unknown, options: ValidateOptions = {}): MapOffer {
  const result = validate(source, options);
  return result.ok
    ? { ready: true, map: result.map, warnings: result.warnings }
    : { ready: false, errors: result.errors };
}

/** Tools that an agent may call now. Tools of the active surface are excluded while its tab is inactive. */
export function offeredTools(offer: MapOffer, surface: { readonly active: boolean }): readonly Tool[] {
  if (!offer.ready) return [];
  return offer.map.tools.filter(
    (tool) => isCallable(tool) && (surface.active || tool.x_actions?.scope === 'persistent'),
  );
}

/** The offered map; throws the reason when no tool can be called. */
export function readyMap(offer: MapOffer): Manifest {
  if (offer.ready) return offer.map;
  const [first] = offer.errors;
  const why =
    first === undefined
      ? 'no map is loaded yet'
      : `its map is not valid (${offer.errors.length} errors; the first at line ${first.line}: ${first.message})`;
  throw new BridgeError('runtime_not_ready', `Nothing can be called on this page: ${why}.`, {
    evidence: { errors: offer.errors.length },
  });
}
