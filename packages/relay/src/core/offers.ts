import type { Machine } from '@drawbridge/protocol/http';
import type { FrameOf } from './frames.ts';
import { machinesOf } from './launch-choice.ts';
import type { Peer } from './peer.ts';
import type { Peers } from './peers.ts';

type Offer = Pick<FrameOf<'proxy_offer'>, 'agents' | 'workspaces'>;

/** Agents and folders that the connected proxies list (CHT-306, CHT-307). */
export type Offers = ReturnType<typeof createOffers>;

export function createOffers({ peers }: { readonly peers: Pick<Peers, 'proxies'> }) {
  const offers = new WeakMap<Peer, Offer>();
  return {
    put: (peer: Peer, { agents, workspaces }: FrameOf<'proxy_offer'>): void =>
      void offers.set(peer, { agents, workspaces }),
    machines: (): readonly Machine[] =>
      machinesOf(peers.proxies()).map((peer) => {
        const offer = offers.get(peer);
        return { machine_label: peer.machine_label, ...(offer && { offer }) };
      }),
  };
}
