import type { DomEvent } from '@drawbridge/protocol';
import type { ForwardedSignal } from './signal-gate.ts';

/** The bridge item for a forwarded signal: structured data, marked as the page's. */
export function toDomEvent(
  signal: ForwardedSignal,
  ids: { readonly eventId: string; readonly runtimeId: string },
): DomEvent & { readonly trust: 'page' } {
  const { name, event, payload, url, observed_at, trust } = signal;
  return {
    type: 'dom_event',
    event_id: ids.eventId,
    runtime_id: ids.runtimeId,
    name,
    ...(event === undefined ? {} : { event }),
    payload,
    url,
    observed_at,
    trust,
  };
}
