import type { Peer } from './peer.ts';
import type { Bus, RelayEvent } from './ports.ts';
import { createRendering } from './render.ts';

/** Who asked: the device, and its client where the hello named one (CHT-191). */
export interface Asker {
  readonly device_id: string;
  readonly client_id: string | null;
  /** The connection that asked; gone after a restart. */
  readonly connection_id: string | null;
}

export const askerOf = ({ device_id, client_id, connection_id }: Peer): Asker => ({
  device_id,
  client_id,
  connection_id,
});

/** Everyone who has said hello. */
export interface Peers {
  readonly add: (peer: Peer) => void;
  readonly remove: (peer: Peer) => void;
  readonly connected: (connection_id: string | null) => boolean;
  readonly proxies: () => readonly Peer[];
  readonly broadcast: (event: RelayEvent) => void;
  /** To every connection of that client; false when none is here. */
  readonly tell: (asker: Asker, text: string) => boolean;
  /** The same, by way of the bus when it is not here. */
  readonly reach: (asker: Asker, text: string) => void;
}

export function createPeers(bus: Bus): Peers {
  const browsers = new Map<string, Peer>();
  const proxies = new Map<string, Peer>();
  /** Those who see every session, and by session those who were given it: an event is nothing to all others. */
  const everywhere = new Set<Peer>();
  const given = new Map<string, Set<Peer>>();

  const watch = (peer: Peer): void => {
    if (peer.sessions === undefined) everywhere.add(peer);
    for (const session_id of peer.sessions ?? []) {
      const there = given.get(session_id);
      if (there === undefined) given.set(session_id, new Set([peer]));
      else there.add(peer);
    }
  };

  const unwatch = (peer: Peer): void => {
    everywhere.delete(peer);
    for (const session_id of peer.sessions ?? []) {
      const there = given.get(session_id);
      there?.delete(peer);
      if (there?.size === 0) given.delete(session_id);
    }
  };

  const tell = (asker: Asker, text: string): boolean => {
    // Not to the connection that asked alone: it may be dead, and nobody have noticed.
    let found = false;
    for (const peer of browsers.values()) {
      if (peer.device_id !== asker.device_id) continue;
      if (asker.client_id !== null && asker.client_id !== peer.client_id) continue;
      peer.send(text, 'answer');
      found = true;
    }
    return found;
  };

  return {
    add: (peer) => {
      if (peer.kind === 'proxy') proxies.set(peer.connection_id, peer);
      if (peer.kind !== 'browser') return;
      browsers.set(peer.connection_id, peer);
      watch(peer);
    },
    remove: (peer) => {
      browsers.delete(peer.connection_id);
      proxies.delete(peer.connection_id);
      unwatch(peer);
    },
    connected: (connection_id) => connection_id !== null && browsers.has(connection_id),
    proxies: () => [...proxies.values()],
    broadcast: (event) => {
      const textFor = createRendering(event);
      const show = (peer: Peer): void => {
        if (peer.wants(event)) peer.send(textFor(peer.features), 'live');
      };
      everywhere.forEach(show);
      given.get(event.session_id)?.forEach(show);
    },
    tell,
    reach: (asker, text) => {
      if (tell(asker, text)) return;
      const { device_id, client_id } = asker;
      bus.publish({ kind: 'told', device_id, client_id, text });
    },
  };
}
