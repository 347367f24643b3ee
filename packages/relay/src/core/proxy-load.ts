import type { Peer } from './peer.ts';

/** What each proxy's connection has been sent and has not answered: one that stops reading fills no memory. */
export interface ProxyLoad {
  /** One always may go; more only together with what is out already. */
  readonly hasRoom: (proxy: Peer, chars: number) => boolean;
  readonly add: (proxy: Peer, chars: number) => void;
  readonly remove: (proxy: Peer, chars: number) => void;
}

const MAX_CHARS = 8 * 1_048_576;

export function createProxyLoad(): ProxyLoad {
  const loads = new WeakMap<Peer, number>();
  const loadOf = (proxy: Peer): number => loads.get(proxy) ?? 0;
  return {
    hasRoom: (proxy, chars) => loadOf(proxy) === 0 || loadOf(proxy) + chars <= MAX_CHARS,
    add: (proxy, chars) => {
      loads.set(proxy, loadOf(proxy) + chars);
    },
    remove: (proxy, chars) => {
      loads.set(proxy, loadOf(proxy) - chars);
    },
  };
}
