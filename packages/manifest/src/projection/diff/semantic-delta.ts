import { isObject } from '@drawbridge/protocol/manifest';
import { jsonText, ownValue } from '../json-value.ts';
import { stateHash } from '../state-hash.ts';

/** A change that an agent can act on: an item added, removed or moved, or a field changed. */
export type SemanticDelta =
  | { readonly type: 'entity_added'; readonly entity_key: string; readonly path: string }
  | { readonly type: 'entity_removed'; readonly entity_key: string; readonly path: string }
  | {
      readonly type: 'entity_moved';
      readonly entity_key: string;
      readonly from: string;
      readonly path: string;
    }
  | {
      readonly type: 'field_replaced';
      /** The item that the field belongs to; absent outside lists. */
      readonly entity_key?: string;
      readonly path: string;
      /** Short values only; the patch has all of them. */
      readonly before?: unknown;
      readonly after?: unknown;
    };

const MAX_SHOWN_CHARS = 200;
const MAX_KEY_CHARS = 120;

export function fieldReplaced(
  path: string,
  entityKey: string | undefined,
  before: unknown,
  after: unknown,
): SemanticDelta {
  return {
    type: 'field_replaced',
    ...(entityKey !== undefined && { entity_key: entityKey }),
    path,
    ...(isShown(before) && { before }),
    ...(isShown(after) && { after }),
  };
}

function isShown(value: unknown): boolean {
  if (value === undefined || (typeof value === 'object' && value !== null)) return false;
  return typeof value !== 'string' || value.length <= MAX_SHOWN_CHARS;
}

/** `id=42` for an item with an identifying field; a plain value is its own name. */
export function entityKeyOf(item: unknown, field: string | undefined): string {
  if (field !== undefined && isObject(item)) return `${field}=${String(ownValue(item, field))}`;
  const text = jsonText(item);
  return typeof item === 'object' || text.length > MAX_KEY_CHARS ? stateHash(item) : text;
}
