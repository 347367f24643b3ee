import { createHash } from 'node:crypto';
import type { InteractRequest } from '@drawbridge/protocol';

export function hashOf(request: InteractRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/**
 * INT-75: a task started by a first call with this key is found again by the key, only for the same device.
 */
export function taskIdOf(device_id: string, key: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([device_id, key]))
    .digest('hex');
  // https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** A first call answered with an ask is repeated with more of the page, and is still the same call. */
export function askKeyOf(device_id: string, { url, query, sessionId, tabId }: InteractRequest): string {
  return JSON.stringify([device_id, url, query, sessionId, tabId]);
}
