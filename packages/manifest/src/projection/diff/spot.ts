import { pointerTo } from './json-pointer.ts';
import { entityKeyOf } from './semantic-delta.ts';

/** A position in a value. The pointer is built only when it is needed. */
export interface Spot {
  readonly parent?: Spot;
  readonly key: string | number;
  /** For items of a list with an identifying field: the item and that field. */
  readonly entity?: { readonly item: unknown; readonly field: string };
}

export const ROOT: Spot = { key: '' };

export function pathOf({ parent, key }: Spot): string {
  return parent === undefined ? '' : pointerTo(pathOf(parent), key);
}

/** The name of the nearest enclosing item, if it has one. */
export function entityAround({ parent, entity }: Spot): string | undefined {
  if (entity !== undefined) return entityKeyOf(entity.item, entity.field);
  return parent === undefined ? undefined : entityAround(parent);
}
