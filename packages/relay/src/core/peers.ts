import type { ClientMessages } from './client-messages.ts';
import { renderEvent } from './frames.ts';
import type { Peer } from './peer.ts';
import type { Addressee, RelayEvent } from './ports.ts';

/**
 * The requester: its device, and its client where the hello named one (CHT-191). The connection_id does not
 * survive a restart.
 */
export interface Requester extends Addressee {
  /** Absent for a request of before a restart. */
  readonly label?: string;
}

export const requesterOf = ({ device_id, client_id, connection_id, label }: Peer): Requester => ({
  device_id,
  client_id,
  connection_id,
  label,
});

/** CHT-191: true when the peer is the client that asked. */
export const isFor = (
  { device_id, client_id }: Pick<Requester, 'device_id' | 'client_id'>,
  peer: Peer,
): boolean => device_id === peer.device_id && (client_id === null || client_id === peer.client_id);

export const DELTAS = 'deltas';
/** CHT-323: a browser with more unread gets no deltas, and catches up by the stored message. */
const MAX_UNREAD_FOR_DELTAS = 262_144;

/** An event for browsers that have subscribed; undefined where they get the event itself. */
export interface SubscriberView {
  readonly subscribed: string | undefined;
  /** For a browser that is subscribed to other sessions. */
  readonly others: string | undefined;
}

const NOBODY: ReadonlySet<Peer> = new Set();

/** Every peer after its hello. */
export type Peers = ReturnType<typeof createPeers>;

export function createPeers(clientMessages: ClientMessages) {
  const browsers = new Map<string, Peer>();
  const expected = new Map<Peer, string[]>();
  const remote = new Set<string>();
  const nodes = new Set<string>();
  const proxies = new Map<string, Peer>();
  /**
   * Peers that see every session; `given` has the others by session, so that an event visits only its
   * watchers.
   */
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

  const send = (to: Addressee, text: string, feature?: string): boolean => {
    const { connection_id } = to;
    const isMeant = (peer: Peer): boolean =>
      connection_id === null ? isFor(to, peer) : peer.connection_id === connection_id;
    const isKnown = ({ features }: Peer): boolean => feature === undefined || features.has(feature);
    let found = false;
    for (const [peer, texts] of expected) {
      if (!isMeant(peer)) continue;
      if (isKnown(peer)) texts.push(text);
      found = true;
    }
    for (const peer of browsers.values()) {
      if (!isMeant(peer)) continue;
      if (isKnown(peer)) peer.send(text, 'answer');
      found = true;
    }
    return found;
  };

  return {
    /** Starts a handshake: texts for the peer are buffered until it is added. */
    expect: (peer: Peer): void => {
      expected.set(peer, []);
    },
    add: (peer: Peer): void => {
      if (peer.kind === 'proxy') proxies.set(peer.connection_id, peer);
      if (peer.kind !== 'browser') return;
      browsers.set(peer.connection_id, peer);
      watch(peer);
      for (const text of expected.get(peer) ?? []) peer.send(text, 'answer');
      expected.delete(peer);
    },
    remove: (peer: Peer): void => {
      expected.delete(peer);
      browsers.delete(peer.connection_id);
      proxies.delete(peer.connection_id);
      unwatch(peer);
    },
    /** Connections on other nodes that have forwarded a command here. */
    remote,
    /** Other nodes whose heartbeats arrive at the leader. */
    nodes,
    connected: (connection_id: string | null): boolean =>
      connection_id !== null && (browsers.has(connection_id) || remote.has(connection_id)),
    proxies: (): readonly Peer[] => [...proxies.values()],
    /** `subscriberView` is called when a peer has subscribed; `textOf` gives the text for peers that get another form. */
    broadcast: (
      event: RelayEvent,
      subscriberView: () => SubscriberView,
      textOf?: (peer: Peer) => string | undefined,
    ): void => {
      const forms: string[] = [];
      let view: SubscriberView | undefined;
      for (const watchers of [everywhere, given.get(event.session_id) ?? NOBODY]) {
        for (const peer of watchers) {
          if (!peer.wants(event)) continue;
          let text: string | undefined;
          if (peer.subscribed !== undefined) {
            view ??= subscriberView();
            text = peer.subscribed.has(event.session_id) ? view.subscribed : view.others;
          }
          peer.send(text ?? textOf?.(peer) ?? renderEvent(event, peer.features, forms), 'live');
        }
      }
    },
    /** Sends a text that is no event to the watchers of a session that list the feature. */
    show: (
      session_id: string,
      text: string,
      feature: string,
      { onShown, unless }: { readonly onShown?: (peer: Peer) => void; readonly unless?: string } = {},
    ): void => {
      const show = (peer: Peer): void => {
        if (!peer.features.has(feature) || (unless !== undefined && peer.features.has(unless))) return;
        if (feature === DELTAS && peer.unread() > MAX_UNREAD_FOR_DELTAS) return;
        // CHT-320
        if (peer.subscribed?.has(session_id) === false) return;
        peer.send(text, 'live');
        onShown?.(peer);
      };
      everywhere.forEach(show);
      given.get(session_id)?.forEach(show);
    },
    /** True when a watcher of the session on this node does not list the feature. */
    isSeenWithout: (session_id: string, feature: string): boolean =>
      [...everywhere, ...(given.get(session_id) ?? [])].some(({ features }) => !features.has(feature)),
    /**
     * Sends to that connection, or to every connection of that client; false when none is here. With a
     * feature, connections that do not list it get nothing.
     */
    send,
    /** Sends to every connection of the client that asked, on any node. */
    reach: (requester: Requester, text: string, onDelivered?: () => void): void => {
      // All connections of the client, because the one that asked may be dead without notice.
      const to = { ...requester, connection_id: null };
      const found = send(to, text);
      if (found) onDelivered?.();
      // Acked even without known nodes: a leader that just started has received no heartbeat yet.
      if (!found) clientMessages.send(to, text, 'until_acked', onDelivered);
      else if (nodes.size > 0) clientMessages.send(to, text, 'once');
    },
  };
}
