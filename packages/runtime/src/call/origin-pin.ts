import { BridgeError } from '@drawbridge/protocol';
import type { SurfaceHost } from '../host.ts';
import type { Turn } from './turn.ts';

/** A grant is for one origin: when the tab has moved to another, what was granted does not run there. */
export interface OriginPin {
  readonly origin: string;
  readonly check: () => void;
}

/** A turn, and where its call was made: by the time it runs, the tab may be elsewhere. */
export interface PinnedTurn extends Turn {
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

/** Pages without an origin of their own (`about:blank`, `data:`) are all the same stranger. */
export function originOf(url: string): string {
  if (url !== last.url) last = { url, origin: URL.canParse(url) ? new URL(url).origin : 'null' };
  return last.origin;
}

/** A tab is asked for its origin three times on the way of one call, and mostly stays where it is. */
let last = { url: '', origin: 'null' };
