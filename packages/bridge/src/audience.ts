import type { BridgeFeature, BridgeItem } from '@drawbridge/protocol';
import type { BridgeEvent, Peer } from './bridge.ts';
import type { Turns } from './turns.ts';

export interface AgentLink {
  readonly peer: Peer;
  features: readonly string[];
  open: boolean;
}

/** All subscribers to runtimes: connected agents and local listeners. */
export interface Audience {
  readonly agents: Set<AgentLink>;
  readonly listeners: Set<(event: BridgeEvent) => void>;
  readonly send: (link: AgentLink, item: BridgeItem) => void;
  /** Sends to every agent; an item beyond the protocol only to those that listed its feature (BRG-119). */
  readonly sendToAgents: (item: BridgeItem, feature?: BridgeFeature) => void;
  readonly notifyListeners: (event: BridgeEvent) => void;
}

export function createAudience(turns: Turns): Audience {
  const agents = new Set<AgentLink>();
  const listeners = new Set<(event: BridgeEvent) => void>();

  const send = ({ peer, open }: AgentLink, item: BridgeItem): void => {
    if (open) turns.callOut(() => peer.send(item));
  };

  return {
    agents,
    listeners,
    send,
    sendToAgents(item, feature) {
      for (const link of agents) {
        if (feature === undefined || link.features.includes(feature)) send(link, item);
      }
    },
    notifyListeners(event) {
      for (const listener of [...listeners]) turns.callOut(() => listener(event));
    },
  };
}
