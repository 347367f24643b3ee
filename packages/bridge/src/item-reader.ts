import { type BridgeError, type BridgeItem, bridge, LIMITS } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { asBridgeError } from './error-item.ts';

export interface UnreadItem {
  readonly ok: false;
  readonly error: BridgeError;
  /** Fields that could still be read (BRG-72). */
  readonly type: string | undefined;
  readonly call_id: string | undefined;
}

export type ReadItem = { readonly ok: true; readonly item: BridgeItem } | UnreadItem;

/** An item as text or as a JSON value. */
export function readItem(received: unknown): ReadItem {
  try {
    return { ok: true, item: typeof received === 'string' ? bridge.parse(received) : bridge.read(received) };
  } catch (thrown) {
    const value = typeof received === 'string' ? jsonIn(received) : received;
    const error = asBridgeError(thrown);
    return { ok: false, error, type: idAt(value, 'type'), call_id: idAt(value, 'call_id') };
  }
}

function jsonIn(text: string): unknown {
  const json = readJson(text, LIMITS.frame.value);
  return json.ok ? json.value : undefined;
}

function idAt(value: unknown, key: string): string | undefined {
  const id = isObject(value) ? value[key] : undefined;
  return typeof id === 'string' && id !== '' && id.length <= LIMITS.id.value ? id : undefined;
}
