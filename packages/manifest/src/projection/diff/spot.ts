import { pointerTo } from './json-pointer.ts';
import { entityKeyOf } from './semantic-delta.ts';

/** Where a walk through a value is. Its pointer is only made when something has to be told there. */
export interface Spot {
  readonly parent?: Spot;
  readonly key: string | number;
  /** For an item of a list whose items have a name: the item and the naming field. */
  readonly entity?: { readonly item: unknown; readonly field: string };
}

export const ROOT: Spot = { key: '' };

export function pathOf({ parent, key }: Spot): string {
  return parent === undefined ? '' : pointerTo(pathOf(parent), key);
}

/** The name of the nearest item around, if the lists it is in have any. */
export function entityAround({ parent, entity }: Spot): string | undefined {
  if (entity !== undefined) return entityKeyOf(entity.item, entity.field);
  return parent === undefined ? undefined : entityAround(parent);
}
