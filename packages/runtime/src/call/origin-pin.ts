import { BridgeError } from '@drawbridge/protocol';
import type { SurfaceHost } from '../host.ts';
import type { Deadline } from './deadline.ts';

/** Binds a call to one origin: when the tab has moved to another, the grant does not apply. */
export interface OriginPin {
  readonly origin: string;
  readonly check: () => void;
}

/** A deadline together with the origin at which its call was made. */
export interface PinnedDeadline extends Deadline {
  readonly pin: OriginPin;
}

export function pinOrigin(host: SurfaceHost, name: string): OriginPin {
  const { url } = host.surface();
  const origin = originOf(url);
  return {
    origin,
    check() {
      const { url: there } = host.surface();
      const now = there === url ? origin : originOf(there);
      if (now === origin) return;
      throw new BridgeError(
        'state_mismatch',
        `${name} was permitted at ${origin}, and the tab has moved to ${now}. Look at the page, then ask again.`,
        { evidence: { granted_origin: origin, origin: now } },
      );
    },
  };
}

/** Pages with an opaque origin (`about:blank`, `data:`) all count as the same unknown origin. */
export function originOf(url: string): string {
  if (url !== last.url) last = { url, origin: URL.canParse(url) ? new URL(url).origin : 'null' };
  return last.origin;
}

/** Each call asks three times for the origin, and the tab rarely moves. */
let last = { url: '', origin: 'null' };
