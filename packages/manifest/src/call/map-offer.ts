import { BridgeError } from '@drawbridge/protocol';
import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import { isCallable } from '../site/site-listing.ts';
import type { MapProblem } from '../validate/finding.ts';
import { type ValidateOptions, validate } from '../validate/validate.ts';

/**
 * What a surface offers of its map. A map is offered whole or not at all: before it was validated, and when
 * it is invalid, there is nothing in it to call.
 */
export type MapOffer =
  | { readonly ready: true; readonly map: Manifest; readonly warnings: readonly MapProblem[] }
  | { readonly ready: false; readonly errors: readonly MapProblem[] };

/** Before any map was loaded. */
export const NO_MAP: MapOffer = { ready: false, errors: [] };

/** An edited map goes through here again: whatever was offered before is gone, valid or not. */
export function offerMap(source: unknown, options: ValidateOptions = {}): MapOffer {
  const result = validate(source, options);
  return result.ok
    ? { ready: true, map: result.map, warnings: result.warnings }
    : { ready: false, errors: result.errors };
}

/** The tools an agent may call now. One that is tied to the active surface goes when its tab is left. */
export function offeredTools(offer: MapOffer, surface: { readonly active: boolean }): readonly Tool[] {
  if (!offer.ready) return [];
  return offer.map.tools.filter(
    (tool) => isCallable(tool) && (surface.active || tool.x_actions?.scope === 'persistent'),
  );
}

/** The map behind an offer, or why nothing can be called here. */
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
