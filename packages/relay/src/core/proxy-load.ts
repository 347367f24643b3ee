import type { Peer } from './peer.ts';

/** Unanswered characters in flight per proxy connection; bounds memory when a proxy stops reading. */
export interface ProxyLoad {
  /** One send always fits; more only within the limit. */
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
